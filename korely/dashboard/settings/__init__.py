"""Settings of an organisation, and of a person's own login."""
