"""Pages of the dashboard over much data: how long they take, how many statements they need."""

from benchmarks.dashboard.pages import dashboard

__all__ = ["dashboard"]
