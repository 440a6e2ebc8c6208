"""The language models that read memories: which serves a project, and what they may use.

None does unless the operator configured one, and no text leaves the server then.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

import structlog
from django.conf import settings
from prometheus_client import Counter

from accounts.models import Project
from accounts.selectors import region_of
from billing import services as billing
from facts.extraction import Candidate, engine
from facts.extraction.writer import (
    Breaker,
    Endpoint,
    Patience,
    WriterEngine,
    WriterUnavailable,
    least_tokens,
)
from facts.vocabulary import Vocabulary
from korely.kernel import errors
from korely.kernel.clock import now
from memories.conversation.stamping import Stamped
from memories.models import Memory

log = structlog.get_logger(__name__)

FALLBACKS = Counter(
    "korely_writer_fallbacks_total",
    "Texts that the local engine read in place of a language model, by why",
    ["writer", "reason"],
)


@dataclass(frozen=True, slots=True)
class _Grant:
    of: date
    taken: int

    def settle(self, used: int) -> None:
        billing.settle_tokens(of=self.of, taken=self.taken, used=used)


class _Day:
    """The day's tokens of all language models of the install, counted in the database."""

    def take(self, tokens: int) -> _Grant | None:
        of = billing.take_tokens(tokens=tokens, limit=settings.KORELY_WRITER_DAILY_BUDGET)
        return None if of is None else _Grant(of, tokens)


@cache
def _writers() -> dict[str, WriterEngine]:
    """By region, "" for the one that serves whoever chose none."""
    patience = Patience(
        total=settings.KORELY_WRITER_TIMEOUT_SECONDS,
        connect=settings.KORELY_WRITER_CONNECT_SECONDS,
        silence=settings.KORELY_WRITER_READ_SECONDS,
        tries=settings.KORELY_WRITER_TRIES,
    )
    return {
        region: WriterEngine(
            Endpoint(region or "default", given["url"], given["model"], given["key"]),
            patience=patience,
            breaker=Breaker(
                failures=settings.KORELY_WRITER_BREAKER_FAILURES,
                seconds=settings.KORELY_WRITER_BREAKER_SECONDS,
            ),
            budget=_Day(),
        )
        for region, given in settings.KORELY_WRITERS.items()
    }


def _served_by(region: str | None) -> str | None:
    """Whose endpoint serves a project of that region; None when extraction is local.

    What chose `eu` is read there or nowhere. The endpoint without a region promises no place, so it
    serves whoever chose none, or `global` where that has no endpoint of its own.
    """
    choices = {None: ("",), "eu": ("eu",), "global": ("global", "")}.get(region, ())
    return next((one for one in choices if one in settings.KORELY_WRITERS), None)


def processing_region(region: str | None) -> str | None:
    """Where a language model reads the texts of a project that chose `region`: `eu` or `global`,
    None when extraction is local.
    """
    served = _served_by(region)
    return served if served is None else served or "global"


def processing_region_of(*, project_id: uuid.UUID) -> str | None:
    """`processing_region` of a project."""
    if not settings.KORELY_WRITERS:
        return None
    return processing_region(region_of(project_id=project_id))


def served_account(*, project_id: uuid.UUID) -> uuid.UUID | None:
    """The account of a project whose texts a language model reads; None when none does."""
    if not settings.KORELY_WRITERS:
        return None
    row = Project.objects.filter(pk=project_id).first()
    return row.organisation_id if row and _served_by(row.region) is not None else None


def require_budget(*, project_id: uuid.UUID) -> None:
    """Call it before a text is stored that has to be read by a language model.

    Raises:
        Refusal: 503 `writes_paused` when one serves the project and must be used, and not even a
            short text fits in what is left of the day's tokens; until 00:00 UTC.
    """
    most = settings.KORELY_WRITER_DAILY_BUDGET
    if not settings.KORELY_WRITER_REQUIRED or most is None:
        return
    served = _served_by(region_of(project_id=project_id))
    if served is None:
        return
    if billing.tokens_used() + least_tokens(_writers()[served].endpoint) > most:
        raise errors.writes_paused(max(1, round((tomorrow() - now()).total_seconds())))


def require_model(*, project_id: uuid.UUID) -> WriterEngine:
    """The language model that serves a project.

    Raises:
        Refusal: 503 `no_language_model` when none does.
    """
    served = _served_by(region_of(project_id=project_id)) if settings.KORELY_WRITERS else None
    if served is None:
        raise errors.no_language_model("No language model is configured")
    return _writers()[served]


def tomorrow() -> datetime:
    """The next 00:00 UTC."""
    return datetime.combine(now().astimezone(UTC).date() + timedelta(days=1), time(), UTC)


def read_memory(
    memory: Memory,
    *,
    text: Stamped | None = None,
    region: str | None,
    names: Sequence[str],
    said_at: datetime,
    vocabulary: Vocabulary,
) -> list[Candidate]:
    """The statements of a memory, by the language model that serves its project or the local
    engine, which stands in for a model that fails unless that must be used. Call it outside any
    transaction: a model may take a minute.

    `text` is the memory's with the times of its lines, None where those are all its own;
    candidates have their places in the memory's own text. What tells of tools states nothing.

    Raises:
        WriterUnavailable: a model must be used, and did not read the text.
    """
    if memory.kind == Memory.TOOL:
        return []
    text = text or Stamped(memory.content)
    served = _served_by(region)
    if served is not None:
        writer = _writers()[served]
        try:
            found = writer.extract(
                text.text,
                user_id=memory.user_id,
                names=names,
                timestamp=said_at,
                vocabulary=vocabulary,
            )
            return [_placed(one, text) for one in found]
        except WriterUnavailable as error:
            told = {"writer": writer.endpoint.name, "reason": error.reason}
            log.warning("writer.failed", memory=memory.id.hex, detail=error.detail, **told)
            if settings.KORELY_WRITER_REQUIRED:
                raise
            FALLBACKS.labels(**told).inc()
    found = engine().extract(
        text.text,
        user_id=memory.user_id,
        names=names,
        timestamp=said_at,
        vocabulary=vocabulary,
    )
    return [_placed(one, text) for one in found]


def _placed(one: Candidate, text: Stamped) -> Candidate:
    start, end = one.span
    return replace(one, span=(text.origin(start), text.origin(end)))
