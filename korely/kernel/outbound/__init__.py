"""Requests to addresses that callers chose, which can never reach what only this machine can.

`check` when an address is registered, `post` when it is used: `post` checks again, and connects to
the very address that it checked. `fetch` gets what is at
such an address in the same way. `exchange` is for addresses that the operator chose.
"""

from korely.kernel.outbound.addresses import is_public
from korely.kernel.outbound.client import NotSent, post
from korely.kernel.outbound.exchanging import Answer, Bounds, NoAnswer, exchange
from korely.kernel.outbound.fetching import Fetched, NotFetched, fetch
from korely.kernel.outbound.resolving import Resolver, Unresolved, resolve
from korely.kernel.outbound.targets import Refused, Target, check, read

__all__ = [
    "Answer",
    "Bounds",
    "Fetched",
    "NoAnswer",
    "NotFetched",
    "NotSent",
    "Refused",
    "Resolver",
    "Target",
    "Unresolved",
    "check",
    "exchange",
    "fetch",
    "is_public",
    "post",
    "read",
    "resolve",
]
