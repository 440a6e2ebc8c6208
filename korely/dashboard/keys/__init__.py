"""Keys: seen, made, rotated, moved and revoked."""
