"""Which timelines of facts a page asks for, as SQL."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from facts.reconciliation import text_key
from facts.selectors.listing import confinement
from facts.selectors.predicates import read_vocabulary
from facts.selectors.reading import Reading
from korely.kernel.caller import Caller

NAMELESS = "user"  # the subject of what is said in the first person and belongs to nobody


@dataclass(frozen=True, slots=True)
class TimelineFilter:
    """Whose timelines, and which.

    `user_id` None: facts that belong to no end user. `history`: all that was known at the
    reading's knowledge clock, whether it holds or not; else only what the reading shows. `subject`
    and `predicate` compare as those of `FactFilter`; `words` is found anywhere in the subject, the
    predicate or the object of a fact of the timeline, without regard to case. None is any.
    """

    user_id: str | None
    reading: Reading = field(default_factory=Reading)
    history: bool = True
    subject: str | None = None
    predicate: str | None = None
    words: str | None = None


def theirs_of(caller: Caller, wanted: TimelineFilter) -> tuple[str, dict[str, Any]]:
    """The condition on a row `f`: the end user's, in the key's reach, known by then."""
    confined, values = confinement(caller, "f")
    known = replace(wanted.reading, as_of=None, include_invalidated=True)
    owned = "f.user_id IS NULL" if wanted.user_id is None else "f.user_id = %(user)s"
    values |= {
        "project": caller.project_id,
        "user": wanted.user_id,
        "own": text_key(wanted.user_id or NAMELESS),
        **wanted.reading.values(),
    }
    return " AND ".join(["f.project_id = %(project)s", owned, confined, known.where()]), values


def asked_of(wanted: TimelineFilter) -> tuple[list[str], dict[str, Any]]:
    """The conditions that a fact makes its timeline part of the list."""
    tests, values = [], {}
    if not wanted.history:
        tests.append(wanted.reading.where())
    if wanted.subject is not None:
        tests.append("(f.subject_key = %(subject)s OR f.subject_text_key = %(subject)s)")
        values["subject"] = text_key(wanted.subject)
    if wanted.predicate is not None:
        tests.append("f.predicate = %(predicate)s")
        values["predicate"] = read_vocabulary().canonical(wanted.predicate)
    if wanted.words is not None:
        sides = (
            "f.subject_key",
            "coalesce(f.subject_text_key, '')",
            "f.object_text_key",
            "coalesce(f.object_name_key, '')",
        )
        places = [f"strpos({side}, %(words)s) > 0" for side in sides]
        places.append("strpos(replace(f.predicate, '_', ' '), %(phrase)s) > 0")
        tests.append(f"({' OR '.join(places)})")
        values["words"] = text_key(wanted.words)
        values["phrase"] = text_key(wanted.words.replace("_", " "))
    return tests, values
