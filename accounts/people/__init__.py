"""People who log in: the rules of roles, and how allauth is fitted to this install."""
