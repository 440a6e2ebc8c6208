"""Pages for people: the account, an organisation's dashboard, the operators' site."""
