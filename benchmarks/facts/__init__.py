"""Facts in bulk: reads on both clocks and direct writes, on 100,000 facts of one project."""

from benchmarks.facts.calls import facts

__all__ = ["facts"]
