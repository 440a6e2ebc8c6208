"""Webhooks of an organisation: who is told of what, and what became of it."""
