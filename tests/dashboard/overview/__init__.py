"""Tests of a project's first page."""
