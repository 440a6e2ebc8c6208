"""An import: its lines a few at a time, embedded outside any transaction, stored in one.

While some lines are stored, a thread of the import embeds the next ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field

import psycopg
import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from billing import services as billing
from billing.services import Reservation
from facts import services as facts
from facts.services import ImportedName
from korely.embedding import ModelUnavailable
from korely.kernel import errors
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope
from memories.services.importing import paying
from memories.services.importing.entries import ImportedMemory, Line
from memories.services.importing.storing import Stored, known_ids, store_lines
from memories.services.importing.under_way import Numbered, UnderWay, texts_of
from memories.vectors import embed_for_import

log = structlog.get_logger(__name__)

_CHUNK_LINES = 64  # stored in one transaction
_CHUNK_CHARACTERS = 32_000
MOST_ERRORS = 1_000  # told; all are counted


@dataclass(slots=True)
class Imported:
    """What became of the lines; `errors` are the first of those that failed, by line."""

    memories: int = 0
    facts: int = 0
    names: int = 0
    skipped: int = 0
    failed: int = 0
    errors: list[tuple[int, str]] = field(default_factory=list)

    @property
    def stored(self) -> int:
        return self.memories + self.facts + self.names


def import_lines(*, caller: Caller, lines: Iterable[Line], counted: bool = True) -> Imported:
    """Store what lines say, ids and clocks as they are.

    Every memory stored costs one write, unless the import is not `counted`. Memories arrive
    `ready`, nothing is extracted and no webhook is told of them, but of those to be `mined`, which
    the worker extracts. An id that the project has is skipped, so that an import that was cut off
    can be sent again. A line fails by itself: out of the key's reach, past the agent cap or the
    month's writes, without its sources.

    Raises:
        Refusal: 503 `service_paused`; and, as long as nothing is stored, 429 `quota_exceeded` and
            503 `model_unavailable`. Later they are faults of lines.
    """
    if settings.KORELY_PAUSED:
        raise errors.service_paused()
    run = _Run(caller, counted)
    with ThreadPoolExecutor(1, thread_name_prefix="import") as model:
        try:
            for chunk in _chunks(lines):
                run.carry_out(chunk, model)
            run.settle()
        finally:
            run.abandon()
    done = run.done
    if not done.stored:
        with project_scope(caller.project_id):
            billing.record(caller, "import", meta=Stored().told())
    done.errors.sort()
    log.info(
        "import.done",
        memories=done.memories,
        facts=done.facts,
        names=done.names,
        skipped=done.skipped,
        failed=done.failed,
    )
    return done


def check_lines(*, caller: Caller, lines: Iterable[Line]) -> Imported:
    """What `import_lines` would do, as far as reading tells: nothing is embedded or stored.

    Only storing tells of the plan's caps, names of other end users, and facts without their
    sources; and an id that the lines have twice, far apart, counts twice.
    """
    run = _Run(caller, counted=False)
    for chunk in _chunks(lines):
        for _, entry in run.fresh(chunk):
            match entry:
                case ImportedMemory():
                    run.done.memories += 1
                case ImportedName():
                    known = run.knows(entry)
                    run.done.skipped += known
                    run.done.names += not known
                case _:
                    run.done.facts += 1
    run.done.errors.sort()
    return run.done


def _chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    chunk: list[Line] = []
    characters = 0
    for line in lines:
        _, entry = line
        chunk.append(line)
        characters += len(entry.content) if isinstance(entry, ImportedMemory) else 0
        if len(chunk) == _CHUNK_LINES or characters >= _CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


class _Run:
    """One import under way."""

    def __init__(self, caller: Caller, counted: bool) -> None:
        self._caller = caller
        self._counted = counted
        self._under_way: UnderWay | None = None
        self.done = Imported()

    def carry_out(self, lines: Sequence[Line], model: Executor) -> None:
        """Have some lines embedded and store those before them meanwhile."""
        if self._under_way is not None and self._under_way.has_any_of(lines):
            self.settle()  # whether they are here is known after that
        fresh = self.fresh(lines)
        if not fresh:
            return
        fresh, taken = self._pay(fresh)
        if not fresh:
            return
        before = self._under_way
        self._under_way = UnderWay(fresh, taken, model.submit(embed_for_import, texts_of(fresh)))
        self._put_down(before)

    def settle(self) -> None:
        """Store the lines under way, once they are embedded."""
        before, self._under_way = self._under_way, None
        self._put_down(before)

    def abandon(self) -> None:
        """Give back what was taken for lines that are still under way."""
        lines, self._under_way = self._under_way, None
        if lines is not None:
            lines.vectors.cancel()
            paying.give_back(self._caller, lines.taken, used=0)

    def _put_down(self, lines: UnderWay | None) -> None:
        if lines is None:
            return
        stored = Stored()
        try:
            stored = self._store(lines)
        finally:
            paying.give_back(self._caller, lines.taken, used=stored.memories)
        if stored.memories and lines.taken and not lines.taken[-1].warned:
            billing.warn_at_80_percent(self._caller, lines.taken[-1])

    def fresh(self, lines: Sequence[Line]) -> list[Numbered]:
        """What can be stored, is in the caller's reach, and is not here yet."""
        found: list[Numbered] = []
        for number, entry in lines:
            if isinstance(entry, str):
                self._fail(number, entry)
            elif not self._caller.reaches(entry.user_id):
                self._fail(number, errors.confined(entry.user_id).message)
            else:
                found.append((number, entry))
        return self._unknown(found)

    def knows(self, name: ImportedName) -> bool:
        with project_scope(self._caller.project_id):
            return facts.knows_name(name=name)

    def _unknown(self, found: Sequence[Numbered]) -> list[Numbered]:
        """Without what the project has, and what stands here twice."""
        if not found:
            return []
        with project_scope(self._caller.project_id):
            known = known_ids([entry for _, entry in found])
        fresh = []
        for number, entry in found:
            if not isinstance(entry, ImportedName):
                if entry.id in known:
                    self.done.skipped += 1
                    continue
                known.add(entry.id)
            fresh.append((number, entry))
        return fresh

    def _pay(self, fresh: Sequence[Numbered]) -> tuple[list[Numbered], list[Reservation]]:
        """Take a write of the month for each memory; those without one fail."""
        memories = [number for number, entry in fresh if isinstance(entry, ImportedMemory)]
        if not memories or not self._counted:
            return list(fresh), []
        all_at_once = paying.take(self._caller, len(memories))
        if all_at_once is not None:
            return list(fresh), [all_at_once]
        self.settle()  # which gives back what it does not use
        taken, refusal = paying.take_singly(self._caller, len(memories))
        if refusal is None:
            return list(fresh), taken
        if not taken and not self.done.stored:
            raise refusal
        unpaid = set(memories[len(taken) :])
        for number in unpaid:
            self._fail(number, refusal.message)
        return [line for line in fresh if line[0] not in unpaid], taken

    def _store(self, lines: UnderWay) -> Stored:
        fresh = lines.fresh
        try:
            stored = store_lines(self._caller, lines.ready())
        except ModelUnavailable:
            if not self.done.stored:
                raise errors.model_unavailable() from None
            return self._give_up(fresh, "the text could not be embedded")
        except (DatabaseError, InterfaceError, psycopg.Error) as error:
            if not self.done.stored:
                raise
            log.warning("import.chunk_failed", error=type(error).__name__)
            return self._give_up(fresh, "it could not be stored")
        for number, message in stored.faults:
            self._fail(number, message)
        self.done.memories += stored.memories
        self.done.facts += stored.facts
        self.done.names += stored.names
        self.done.skipped += stored.skipped
        return stored

    def _give_up(self, fresh: Sequence[Numbered], message: str) -> Stored:
        for number, _ in fresh:
            self._fail(number, message)
        return Stored()

    def _fail(self, number: int, message: str) -> None:
        self.done.failed += 1
        if len(self.done.errors) < MOST_ERRORS:
            self.done.errors.append((number, message))
