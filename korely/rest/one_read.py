"""The read of one object: what it costs, and that it costs nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope, reading_scope


@contextmanager
def one_read(caller: Caller, look: Callable[[], object]) -> Iterator[None]:
    """The project's scope for one query of the month; with none left `look` may still be a 404."""

    def look_alone() -> None:
        with project_scope(caller.project_id):
            look()

    with (
        billing.spending(caller, "queries", spent=look_alone),
        reading_scope(caller.project_id),
    ):
        yield
