"""The log of requests."""
