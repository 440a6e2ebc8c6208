"""Projects of an organisation: made, described, put away, deleted."""
