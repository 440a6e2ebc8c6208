"""The facts of an end user by subject and predicate: what is true, what was, what is to come."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from facts.models import Fact
from facts.selectors.listing import NEWEST
from facts.selectors.one import find_fact
from facts.selectors.rows import fetch
from facts.selectors.timeline_filter import TimelineFilter, asked_of, theirs_of
from facts.selectors.view import FactView, columns, from_row
from korely.kernel import errors
from korely.kernel.caller import Caller

MOST_ENTRIES = 12  # of a timeline on a page of many; `read_timeline` has all of them


@dataclass(frozen=True, slots=True)
class Entry:
    """`shown`: the reading shows the fact, as `list_facts` does for the same instants."""

    fact: FactView
    shown: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """The facts of one subject, predicate and agent: those shown first, then the newest.

    `total` counts all of them, also those beyond `MOST_ENTRIES`.
    """

    entries: list[Entry]
    total: int

    @property
    def mark(self) -> uuid.UUID:
        """A fact of it: what a page that goes on from here is asked by."""
        return self.entries[0].fact.id


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """`later`, `earlier`: there are timelines after the last and before the first of these."""

    timelines: list[Timeline]
    later: bool
    earlier: bool


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A part of one timeline, newest first; `older`: there are more."""

    entries: list[Entry]
    older: bool


# A timeline's place among the end user's: their own facts first, then by the names as compared.
_KEY = ("f.subject_key <> %(own)s", "f.subject_key", "f.predicate", "coalesce(f.agent_id, '')")

_JUDGED_BY = ", ".join(
    f"f.{column}"
    for column in (
        "project_id id agent_id subject_key subject_text_key predicate object_text_key"
        " object_name_key tense slot valid_from invalid_at closed_known_at direct created_at"
    ).split()
)

# The end user's facts are read once: other end users may have many more of one subject.
_PAGE = """
    WITH theirs AS MATERIALIZED (
        SELECT {judged_by} FROM facts_fact f WHERE {theirs}
    ), page AS (
        SELECT f.subject_key, f.predicate, coalesce(f.agent_id, '') AS agent
        FROM theirs f WHERE {asked} GROUP BY 1, 2, 3 ORDER BY {order} LIMIT %(limit)s
    ), judged AS (
        SELECT f.id, p.subject_key, p.predicate, p.agent, f.valid_from, f.created_at,
            ({shows}) AS shown
        FROM page p JOIN theirs f ON f.subject_key = p.subject_key
            AND f.predicate = p.predicate AND coalesce(f.agent_id, '') = p.agent
    ), ranked AS (
        SELECT j.*, count(*) OVER one AS total, row_number() OVER (
            one ORDER BY j.shown DESC, j.valid_from DESC, j.created_at DESC, j.id DESC
        ) AS place
        FROM judged j WHERE j.shown OR %(history)s
        WINDOW one AS (PARTITION BY j.subject_key, j.predicate, j.agent)
    )
    SELECT {columns}, r.shown, r.total, r.place FROM ranked r
    JOIN facts_fact f ON f.project_id = %(project)s AND f.id = r.id
    WHERE r.place <= %(most)s
    ORDER BY {key}, r.place
"""
_ONE = """
    SELECT {columns}, ({shows}) AS shown FROM facts_fact f
    WHERE {theirs} AND f.subject_key = %(subject)s AND f.predicate = %(predicate)s
        AND coalesce(f.agent_id, '') = %(agent)s AND {beyond}
    ORDER BY {newest} LIMIT %(limit)s
"""


def list_timelines(
    *,
    caller: Caller,
    wanted: TimelineFilter,
    size: int,
    after: uuid.UUID | None = None,
    before: uuid.UUID | None = None,
) -> TimelinePage:
    """A page of timelines: the end user's own first, then by subject and predicate.

    `after`, `before`: a fact of the timeline that the page begins behind, or ends in front of.

    Raises:
        Refusal: 403 for an end user out of the key's reach; 404 for a mark that is no fact of
            theirs.
    """
    caller.require_read(wanted.user_id)
    theirs, values = theirs_of(caller, wanted)
    asked, more = asked_of(wanted)
    backwards = before is not None
    mark = before or after
    if mark is not None:
        asked.append(_beyond(_marked(caller, wanted, mark), more, backwards=backwards))
    direction = "DESC" if backwards else "ASC"
    statement = _PAGE.format(
        judged_by=_JUDGED_BY,
        theirs=theirs,
        asked=" AND ".join(asked) or "true",
        shows=wanted.reading.where(),
        columns=columns(wanted.reading),
        order=", ".join(f"{part} {direction}" for part in _KEY),
        key=", ".join(_KEY),
    )
    values |= {**more, "history": wanted.history, "limit": size + 1, "most": MOST_ENTRIES}
    found = _grouped(fetch(statement, values))
    over = len(found) > size
    if backwards:
        return TimelinePage(found[-size:], later=True, earlier=over)
    return TimelinePage(found[:size], later=over, earlier=after is not None)


def read_timeline(
    *,
    caller: Caller,
    wanted: TimelineFilter,
    of: uuid.UUID,
    after: uuid.UUID | None = None,
    size: int,
) -> EntryPage:
    """The timeline that the fact `of` is in, newest first, beyond the fact `after`.

    Of `wanted` the words, subject and predicate do not count.

    Raises:
        Refusal: as `list_timelines`.
    """
    caller.require_read(wanted.user_id)
    one = _marked(caller, wanted, of)
    theirs, values = theirs_of(caller, wanted)
    beyond = ["true" if wanted.history else wanted.reading.where()]
    if after is not None:
        last = _marked(caller, wanted, after)
        beyond.append("(f.valid_from, f.created_at, f.id) < (%(begun)s, %(stored)s, %(last)s)")
        values |= {"begun": last.valid_from, "stored": last.created_at, "last": last.id}
    statement = _ONE.format(
        columns=columns(wanted.reading),
        shows=wanted.reading.where(),
        theirs=theirs,
        beyond=" AND ".join(beyond),
        newest=NEWEST,
    )
    values |= {
        "subject": one.subject_key,
        "predicate": one.predicate,
        "agent": one.agent_id or "",
        "limit": size + 1,
    }
    rows = fetch(statement, values)
    return EntryPage([Entry(from_row(row), row[-1]) for row in rows[:size]], len(rows) > size)


def _marked(caller: Caller, wanted: TimelineFilter, mark: uuid.UUID) -> Fact:
    fact = find_fact(caller=caller, fact_id=mark)
    if fact.user_id != wanted.user_id:
        raise errors.not_found("fact")
    return fact


def _beyond(fact: Fact, values: dict[str, Any], *, backwards: bool) -> str:
    """The condition that a row's timeline comes after that of `fact`, or before it."""
    values |= {
        "mark_subject": fact.subject_key,
        "mark_predicate": fact.predicate,
        "mark_agent": fact.agent_id or "",
    }
    mark = "%(mark_subject)s <> %(own)s, %(mark_subject)s, %(mark_predicate)s, %(mark_agent)s"
    return f"({', '.join(_KEY)}) {'<' if backwards else '>'} ({mark})"


def _grouped(rows: list[tuple[Any, ...]]) -> list[Timeline]:
    found: list[Timeline] = []
    for row in rows:
        *_, shown, total, place = row
        if place == 1:
            found.append(Timeline([], int(total)))
        found[-1].entries.append(Entry(from_row(row), shown))
    return found
