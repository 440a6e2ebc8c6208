"""Who belongs to an organisation."""
