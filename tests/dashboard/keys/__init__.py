"""Tests of the pages about keys."""
