"""A foreign export as the lines of an import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from korely.kernel.errors import Refusal
from korely.rest.transfer.foreign.origins import Origin
from korely.rest.transfer.foreign.records import Record, Records
from korely.rest.transfer.foreign.rows import Row
from korely.rest.transfer.foreign.skips import Reason, Skip
from korely.rest.transfer.foreign.values import Skipped
from korely.rest.transfer.reading import entry_of
from memories.services import Entry, ImportedMemory, Line

_TEXTS = frozenset({"content", "subject", "predicate", "object", "name"})
_DATES = frozenset(
    "created_at updated_at timestamp valid_from invalid_at closed_known_at since".split()
)

_OF_TEXTS = {"string_too_long": Reason.TOO_LONG, "string_too_short": Reason.NO_TEXT}


class ForeignLines:
    """Names, then memories, then facts, numbered as their records are.

    What is not stored is told to `skipped`, and each record to `read`, which gets 1 for it: `steps`
    in all. `mining`: whether memories may be left to the worker.
    """

    def __init__(
        self,
        records: Records,
        origin: Origin,
        *,
        mining: bool,
        skipped: Callable[[int, Skip], None],
        read: Callable[[int], None],
    ) -> None:
        self._records, self._origin = records, origin
        self._mining, self._skipped, self._read = mining, skipped, read
        self.count = 0

    def survey(self) -> None:
        """Read the file through, so that a broken one is found before anything is stored.

        Raises:
            Unreadable: it is no JSON that has records.
        """
        for found in self._records:
            self.count += 1
            if isinstance(found, Record):
                self._origin.learn(found)
        if self._origin.surveys:
            for found in self._records:
                if isinstance(found, Record):
                    self._origin.learn_more(found)

    @property
    def steps(self) -> int:
        return self.count * (2 if self._origin.surveys else 1)

    def __iter__(self) -> Iterator[Line]:
        """Call `survey` first."""
        passes: list[Iterator[tuple[int, Row | Skip]]] = [self._origin.names(), self._memories()]
        if self._origin.surveys:
            passes.append(self._facts())
        for number, row in chain.from_iterable(passes):
            line = row if isinstance(row, Skip) else self._line(row)
            if isinstance(line, Skip):
                self._skipped(number, line)
            else:
                yield number, line

    def _memories(self) -> Iterator[tuple[int, Row | Skip]]:
        for found in self._records:
            self._read(1)
            if not isinstance(found, Record):
                yield found
            elif (row := _tried(self._origin.memory, found)) is not None:
                yield found.number, row

    def _facts(self) -> Iterator[tuple[int, Row | Skip]]:
        for found in self._records:
            self._read(1)
            if isinstance(found, Record) and (row := _tried(self._origin.fact, found)) is not None:
                yield found.number, row

    def _line(self, row: Row) -> Entry | Skip:
        try:
            entry = entry_of({name: one for name, one in row.line.items() if one is not None})
        except Refusal as refusal:
            return _skip_of(refusal)
        if isinstance(entry, ImportedMemory) and row.mined and self._mining:
            return replace(entry, mined=True)
        return entry


def _tried(step: Callable[[Record], Row | None], record: Record) -> Row | Skip | None:
    try:
        return step(record)
    except Skipped as error:
        return error.skip


def _skip_of(refusal: Refusal) -> Skip:
    fault = refusal.extra["detail"][0]
    field = fault["loc"][1] if len(fault["loc"]) > 1 else None
    if field in _DATES:
        reason = Reason.BAD_DATE
    elif field in _TEXTS:
        reason = _OF_TEXTS.get(fault["type"], Reason.INVALID)
    else:
        reason = Reason.INVALID
    return Skip(reason, refusal.message)
