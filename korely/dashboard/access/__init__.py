"""What the install's operators looked at in an organisation."""
