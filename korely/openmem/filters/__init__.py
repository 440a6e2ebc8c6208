"""The dialect's filters: JSON read to a tree of conditions."""

from korely.openmem.filters.reading import read_filter

__all__ = ["read_filter"]
