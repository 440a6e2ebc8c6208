"""What the selectors show after random acts of the real services equals a replay of the log."""

from __future__ import annotations

import random
import uuid
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api_client import Box
from tests.reconciliation.replay import Told, moment, read
from tests.reconciliation.store import VALUES, Store, Words

# The store's clock is the real one: sixty days back to forty days ahead, so that ends, plans and
# starts are still to come in some acts.
TODAY = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
START = TODAY - timedelta(days=60)
MEETING = (
    ("lives_in",),
    ("likes", "dislikes"),
    ("owns", "sold"),
    ("travels_to", "visited"),
    ("lives_in", "works_at", "likes", "uses", "visited"),
)
PLACES = {"lives_in", "travels_to", "visited"}
Past, Days = st.integers(0, 60), st.integers(0, 100)


@pytest.fixture(scope="module")
def project(box: Box) -> uuid.UUID:
    return uuid.UUID(box.project["id"].removeprefix("prj_"))


def _day(offset: int) -> datetime:
    return START + timedelta(days=offset)


@st.composite
def texts(draw: st.DrawFn, predicates: tuple[str, ...], names: bool) -> Words:
    """A statement of a text."""
    kind = draw(st.sampled_from("says says says says plans past ends denies".split()))
    value, other = draw(st.sampled_from([(a, b) for a in VALUES for b in VALUES if a != b]))
    parts: dict[str, Any] = {"of_name": names and draw(st.booleans())}
    predicate = draw(st.sampled_from(predicates))
    if kind in {"says", "plans"}:
        parts["tense"] = {"says": "current", "plans": "planned"}[kind]
        if draw(st.booleans()):
            begin = draw(Days)
            parts["start"] = _day(begin)
            if draw(st.integers(0, 2)) == 0:
                parts["end"] = _day(begin + draw(st.integers(1, 40)))
        if draw(st.integers(0, 5)) == 0:
            parts["replaces"] = (other,)
    elif kind == "past":
        parts["tense"] = "past"
        if draw(st.booleans()):
            begin = draw(Past)
            parts |= {"start": _day(begin), "end": _day(begin + draw(st.integers(0, 30)))}
    else:
        parts |= {"ends": {"tense": "past", "move": "end"}, "denies": {"move": "deny"}}[kind]
        if draw(st.booleans()):
            parts["end"] = _day(draw(Past))
    return Words(predicate, value, **parts)


@st.composite
def stories(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """Acts: their names are those of `Store`'s methods."""
    predicates, names = draw(st.sampled_from(MEETING)), draw(st.integers(0, 3)) == 0
    told = st.lists(texts(predicates, names), min_size=1, max_size=2)
    caller = st.builds(
        Words,
        st.sampled_from(predicates),
        st.sampled_from(VALUES),
        tense=st.sampled_from(["current", "current", "past", "planned"]),
        start=st.none() | Days.map(_day),
        of_name=st.just(True) if names and draw(st.booleans()) else st.just(False),
    )
    place = st.integers(0, 6)
    act = st.one_of(
        st.tuples(st.just("write"), Past.map(_day), told, st.booleans()),
        st.tuples(st.just("write"), Past.map(_day), told, st.just(False)),
        st.tuples(st.just("post"), caller),
        st.tuples(st.just("edit"), place, told),
        st.tuples(st.just("delete"), place),
        st.tuples(st.just("forget"), place, st.none() | Days.map(_day)),
        st.tuples(st.just("patch"), place, st.sampled_from(predicates), st.sampled_from(VALUES)),
        *([st.tuples(st.just("declare"))] if names else []),
    )
    first = draw(st.tuples(st.just("write"), Past.map(_day), told, st.booleans()))
    return [first, *draw(st.lists(act, min_size=2, max_size=7))]


def _do(store: Store, act: tuple[Any, ...]) -> None:
    match act:
        case ("write", said_at, words, session):
            store.write(said_at, words, session=session)
        case ("post", words):
            store.post(words)
        case ("edit", place, words) if store.memories:
            store.edit(store.memories[place % len(store.memories)], words)
        case ("delete", place) if store.memories:
            store.delete(store.memories[place % len(store.memories)])
        case ("forget", place, at):
            store.forget(place, at)
        case ("patch", place, predicate, value):
            store.patch(place, predicate=predicate, value=value)
        case ("declare",):
            store.declare()


class Both:
    """The same reads of the store and of the replay, their facts named by the order stored."""

    def __init__(self, store: Store) -> None:
        self.store, self.log = store, store.log
        self.world = store.log.world()
        self.left_out = self.world.of_sessions(store.sessions)
        self.stored = {fact: place for place, fact in enumerate(store.rows())}
        self.replayed = {one.id: place for place, one in enumerate(self.world.stored())}

    def agree(self, at: datetime | None, known_at: datetime | None, **asked: Any) -> None:
        from facts.selectors import FactFilter, Reading, list_facts, read_profile

        sessions = asked.pop("exclude_sessions", False)
        ended = asked.pop("include_invalidated", False)
        reading = Reading(at, known_at, ended, sessions)
        wanted = FactFilter(user_id=self.store.user, reading=reading, **asked)
        page = list_facts(caller=self.store.caller, wanted=wanted, limit=200, offset=0)
        first = list_facts(caller=self.store.caller, wanted=wanted, limit=1, offset=0)
        expected = self._expected(at, known_at, ended, sessions)
        expected = [one for one in expected if self._asked_for(one, asked)]
        assert [self._as_stored(one) for one in page.facts] == [
            self._as_replayed(one) for one in expected
        ]
        assert (page.total, first.total) == (len(expected), len(expected))
        if not asked and not ended:
            user = self.store.user
            profile = read_profile(caller=self.store.caller, user_id=user, reading=reading)
            own = [one for one in expected if one.about == user]
            others = [one for one in expected if one.about != user]
            shown = [self._as_stored(one) for one in profile.facts]
            assert shown == [self._as_replayed(one) for one in [*own, *others]]
            assert profile.total == len(expected)

    def _expected(
        self, at: datetime | None, known_at: datetime | None, ended: bool, sessions: bool
    ) -> list[Told]:
        from korely.kernel.clock import now

        left_out = self.left_out if sessions else set()
        facts = self.log.facts(known_at)
        if ended and at is None:
            facts = [one for one in facts if one.id not in left_out]
            return sorted(facts, key=lambda f: (f.start, f.stored, f.id), reverse=True)
        instant = at or known_at or now()
        return read(facts, instant, as_of=at is not None, left_out=left_out)

    def _asked_for(self, one: Told, asked: dict[str, Any]) -> bool:
        tests = {
            "predicate": one.predicate,
            "subject": one.about,
            "entity": one.about,
            "predicate_family": "places" if one.predicate in PLACES else "other",
        }
        for name, value in asked.items():
            entity = name == "entity" and value == one.value
            if tests[name] != value and not entity:
                return False
        return True

    def _as_stored(self, one: Any) -> tuple[object, ...]:
        by = self.stored[one.invalidated_by] if one.invalidated_by else None
        said = (one.predicate, one.object, one.tense, one.valid_from)
        return self.stored[one.id], *said, one.invalid_at, one.closed_reason, by

    def _as_replayed(self, one: Told) -> tuple[object, ...]:
        by = self.replayed[one.by] if one.by else None
        said = (one.predicate, one.value, one.tense, one.start)
        return self.replayed[one.id], *said, one.end, one.why, by


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(story=stories(), seed=st.integers(0, 2**32))
def test_every_read_of_the_store_equals_the_replay(
    project: uuid.UUID, story: list[tuple[Any, ...]], seed: int
) -> None:
    from korely.kernel.tenancy import project_scope

    store, chance = Store(project), random.Random(seed)
    for act in story:
        _do(store, act)
    with project_scope(project):
        both = Both(store)
        both.agree(None, None, include_invalidated=True)
        both.agree(None, None)
        both.agree(None, None, exclude_sessions=True)
        learned = [moment(act) for act in store.log.acts]
        between = [a + (b - a) / 2 for a, b in pairwise(learned)]
        for known_at in (None, *chance.sample([*learned, *between], min(2, len(learned)))):
            at = _day(chance.randint(-1, 110))
            both.agree(None, known_at, exclude_sessions=chance.random() < 0.3)
            both.agree(at, known_at)
            both.agree(at, known_at, exclude_sessions=True)
            asked = [{"entity": chance.choice(VALUES)}, {"subject": store.user}]
            asked += [{"predicate_family": "places"}]
            if not store.declared:  # a declared name finds what was written with it
                asked += [{"subject": store.name}]
            asked += [{"predicate": one} for one in ("lives_in", "likes", "visited")]
            both.agree(at, known_at, **chance.choice(asked))
            both.agree(at, known_at, include_invalidated=True, **chance.choice(asked))
