"""Facts: writes. Call them inside a project's scope."""

from facts.services.sources import Changes, Source, meaning, storable, take_in, withdraw_memory
from facts.services.store import lock

__all__ = ["Changes", "Source", "lock", "meaning", "storable", "take_in", "withdraw_memory"]
