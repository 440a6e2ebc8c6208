"""An operator's transfers: the project by its id, and how far the work is."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from tqdm import tqdm

from accounts.models import Project
from korely.kernel import errors, ids
from korely.kernel.caller import READ, WRITE, Caller

_PAUSE = 10.0  # seconds between two lines where standard error is no terminal


def operator_of(project: str) -> Caller:
    """An operator at work on a project, whose id is `prj_…`: every end user, no plan's limits.

    Raises:
        Refusal: 404 for an unknown project.
    """
    project_id = ids.parse(ids.PROJECT, project)
    row = Project.objects.filter(pk=project_id).first() if project_id else None
    if row is None:
        raise errors.not_found("project")
    return Caller(
        organisation_id=row.organisation_id,
        project_id=row.id,
        scopes=(READ, WRITE),
        actor="manage",
    )


class Progress:
    """How far the work is, on standard error: a bar on a terminal, else a line every ten seconds.

    `total` and `add` count `unit`s; a unit of `B` is bytes.
    """

    def __init__(self, what: str, *, total: int | None, unit: str) -> None:
        self._what, self._total, self._unit = what, total, unit
        self._done = 0
        self._next = time.monotonic() + _PAUSE
        self._bar: tqdm | None = None
        if sys.stderr.isatty():
            scaled = unit == "B"
            self._bar = tqdm(
                desc=what, total=total, unit=unit, unit_scale=scaled, leave=False, file=sys.stderr
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def aim(self, total: int) -> None:
        """How much there is to do, where that was not known at first."""
        self._total = total
        if self._bar is not None:
            self._bar.reset(total)

    def add(self, count: int) -> None:
        self._done += count
        if self._bar is not None:
            self._bar.update(count)
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            of = "" if self._total is None else f" of {self._total:,}"
            sys.stderr.write(f"{self._what}: {self._done:,}{of} {self._unit}\n")
            sys.stderr.flush()
