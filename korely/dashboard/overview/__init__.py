"""The first page of a project."""
