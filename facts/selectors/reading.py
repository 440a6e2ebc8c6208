"""Which facts a read shows: the two clocks and the one-value rule as SQL (contract, section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from korely.kernel.clock import now


@dataclass(frozen=True, slots=True)
class Reading:
    """The clocks of one read.

    `as_of`: the instant of valid time; `known_as_of`: the instant of knowledge time. Both None
    is the default read: what holds now, and plans that are still open. `include_invalidated`
    judges no time at all, unless `as_of` is given. `exclude_sessions` drops facts that only
    session memories state, before anything else is judged.
    """

    as_of: datetime | None = None
    known_as_of: datetime | None = None
    include_invalidated: bool = False
    exclude_sessions: bool = False

    @property
    def judges_time(self) -> bool:
        return self.as_of is not None or not self.include_invalidated

    def values(self) -> dict[str, Any]:
        """Parameters of the SQL below."""
        return {"at": self.as_of or self.known_as_of or now(), "known": self.known_as_of}

    def end(self, alias: str, column: str = "invalid_at") -> str:
        """A column of the end, as far as it was known."""
        if self.known_as_of is None:
            return f"{alias}.{column}"
        return f"CASE WHEN {alias}.closed_known_at <= %(known)s THEN {alias}.{column} END"

    def _known(self, alias: str) -> list[str]:
        found = []
        if self.known_as_of is not None:
            found.append(f"{alias}.created_at <= %(known)s")
        if self.exclude_sessions:
            source = (
                f"SELECT 1 FROM facts_factsource s WHERE s.project_id = {alias}.project_id"
                f" AND s.fact_id = {alias}.id"
            )
            found.append(
                f"({alias}.direct"
                f" OR EXISTS ({source} AND s.withdrawn_at IS NULL AND NOT s.is_session)"
                f" OR (NOT EXISTS ({source} AND s.withdrawn_at IS NULL)"
                f" AND EXISTS ({source} AND NOT s.is_session)))"
            )
        return found

    def _holds(self, alias: str) -> str:
        end = self.end(alias)
        holds = f"{alias}.valid_from <= %(at)s AND ({end} IS NULL OR {end} > %(at)s)"
        if self.as_of is not None:
            return f"({holds})"
        # A plan is listed before it begins, until it ends; one that ended before its own start
        # was cancelled.
        plan = f"({end} IS NULL OR ({end} > {alias}.valid_from AND {end} > %(at)s))"
        return (
            f"(({alias}.tense <> 'planned' AND {holds}) OR ({alias}.tense = 'planned' AND {plan}))"
        )

    def holding(self, alias: str = "f") -> str:
        """The condition that a fact is shown if its slot shows none that started later.

        A slot shows one of them, so that each slot counted once, and each fact without one, counts
        what `where` shows.
        """
        return " AND ".join([*self._known(alias), self._holds(alias)])

    def where(self, alias: str = "f") -> str:
        """The condition that a fact is shown, judged over its whole slot."""
        conditions = self._known(alias)
        if self.judges_time:
            conditions.append(self._holds(alias))
            rival = " AND ".join(
                [
                    f"r.project_id = {alias}.project_id",
                    f"r.slot = {alias}.slot",
                    f"(r.valid_from, r.created_at, r.id)"
                    f" > ({alias}.valid_from, {alias}.created_at, {alias}.id)",
                    self.holding("r"),
                ]
            )
            conditions.append(
                f"({alias}.slot IS NULL OR NOT EXISTS (SELECT 1 FROM facts_fact r WHERE {rival}))"
            )
        return " AND ".join(conditions) if conditions else "true"
