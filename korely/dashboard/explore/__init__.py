"""Explore: the end users of a project, their memories, and what can be done about them."""
