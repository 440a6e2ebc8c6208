"""Facts, profile and names through the official Python client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from korely_memory import (
    AsyncKorely,
    ConflictError,
    Korely,
    NotFoundError,
    QuotaExceededError,
)
from korely_memory.exceptions import APIError

from tests.api_client import unique

Settle = Callable[[str], None]


def test_a_triple_is_written_with_every_option(korely: Korely, uid: str) -> None:
    fact = korely.add_fact_triple(
        "Northwind",
        "lives in",
        "Rome",
        user_id=uid,
        agent_id="bot",
        run_id="r",
        subject_type="company",
        object_is_literal=True,
        confidence=0.5,
        valid_from="2026-01-10",
        tense="current",
    )
    assert (fact.subject, fact.predicate, fact.object) == ("Northwind", "lives_in", "Rome")
    assert (fact.user_id, fact.agent_id, fact.confidence) == (uid, "bot", 0.5)
    assert (fact.valid_from, fact.invalidated) == ("2026-01-10T00:00:00+00:00", [])
    assert [one.id for one in korely.get_facts(user_id=uid, entity="northwind")] == [fact.id]


def test_a_triple_supersedes_what_a_text_said(korely: Korely, settle: Settle, uid: str) -> None:
    korely.add("I live in Rome.", user_id=uid, timestamp="2026-01-10")
    settle(uid)
    (told,) = korely.get_facts(user_id=uid)
    fact = korely.add_fact_triple(uid, "lives in", "Milan", user_id=uid, valid_from="2026-05-20")
    assert fact.invalidated == [told.id]
    assert [one.object for one in korely.get_facts(user_id=uid)] == ["Milan"]
    assert [one.object for one in korely.get_facts(user_id=uid, as_of="2026-03-01")] == ["Rome"]


def test_a_correction_lists_what_it_superseded_and_a_repeat_confirms(
    korely: Korely, uid: str
) -> None:
    rome = korely.add_fact_triple(uid, "visited", "Rome", user_id=uid)
    oslo = korely.add_fact_triple(uid, "lives_in", "Oslo", user_id=uid)
    fixed = korely.correct_fact(rome.id, predicate="lives in")
    assert fixed.invalidated == [rome.id, oslo.id]
    again = korely.correct_fact(fixed.id, object="Rome")
    assert (again.id, again.invalidated, again.observation_count) == (fixed.id, [], 2)
    with pytest.raises(ConflictError) as caught:
        korely.correct_fact(oslo.id, object="Bern")
    assert caught.value.code == "fact_not_current"
    assert caught.value.current_fact_id == fixed.id
    with pytest.raises(NotFoundError):
        korely.correct_fact("fct_" + "0" * 32, object="x")


def test_a_correction_that_restates_the_fact_confirms_it(korely: Korely, uid: str) -> None:
    fact = korely.add_fact_triple(uid, "likes", "green tea", user_id=uid)
    for count in (2, 3):
        again = korely.correct_fact(fact.id, subject=uid, predicate="likes", object=" green tea ")
        assert (again.id, again.invalidated, again.observation_count) == (fact.id, [], count)
    assert again.last_confirmed_at is not None
    assert [one.id for one in korely.get_facts(user_id=uid, include_invalidated=True)] == [fact.id]


def test_of_two_corrections_at_once_one_is_told_of_the_other(
    korely: Korely, aio: AsyncKorely, uid: str
) -> None:
    fact = korely.add_fact_triple(uid, "lives_in", "Rome", user_id=uid)

    async def both() -> list[object]:
        corrections = (aio.correct_fact(fact.id, object=city) for city in ("Oslo", "Bern"))
        return list(await asyncio.gather(*corrections, return_exceptions=True))

    done = asyncio.run(both())
    (late,) = (one for one in done if isinstance(one, ConflictError))
    (first,) = (one for one in done if one is not late)
    assert late.current_fact_id == first.id
    assert first.invalidated == [fact.id]
    assert [one.id for one in korely.get_facts(user_id=uid)] == [first.id]


def test_what_was_forgotten_has_nothing_in_its_place(korely: Korely, uid: str) -> None:
    fact = korely.add_fact_triple(uid, "likes", "tea", user_id=uid)
    korely.forget_fact(fact.id)
    with pytest.raises(ConflictError) as caught:
        korely.correct_fact(fact.id, object="rum")
    assert (caught.value.code, caught.value.current_fact_id) == ("fact_not_current", None)
    assert list(korely.get_facts(user_id=uid)) == []


def test_what_was_known_then_is_read_of_direct_writes_too(korely: Korely, uid: str) -> None:
    rome = korely.add_fact_triple(uid, "lives_in", "Rome", user_id=uid, valid_from="2026-01-10")
    milan = korely.add_fact_triple(uid, "lives_in", "Milan", user_id=uid, valid_from="2026-05-20")
    assert milan.invalidated == [rome.id]
    before, after = rome.created_at, milan.created_at

    def read(**clocks: str | None) -> list[tuple[str, str | None]]:
        facts = list(korely.get_facts(user_id=uid, **clocks))
        profile = korely.get_profile(user_id=uid, **clocks)
        assert [fact.id for fact in profile.facts] == [fact.id for fact in facts]
        return [(fact.object, fact.invalidated_by) for fact in facts]

    assert read(known_as_of=after) == [("Milan", None)]
    assert read(known_as_of=before) == [("Rome", None)]
    assert read(known_as_of=before, as_of="2026-06-01") == [("Rome", None)]
    assert read(known_as_of=after, as_of="2026-02-01") == [("Rome", milan.id)]


def test_a_fact_is_forgotten_once(korely: Korely, uid: str) -> None:
    fact = korely.add_fact_triple(uid, "likes", "tea", user_id=uid, valid_from="2026-01-01")
    with pytest.raises(APIError) as caught:
        korely.forget_fact(fact.id, at="2025-01-01")
    assert caught.value.status == 422
    done = korely.forget_fact(fact.id, at="2026-03-01")
    assert (done.id, done.status) == (fact.id, "forgotten")
    assert done.invalid_at == "2026-03-01T00:00:00+00:00"
    assert str(done.audit_id).startswith("aud_")
    again = korely.forget_fact(fact.id)
    assert (again.status, again.audit_id) == ("already_forgotten", None)
    assert list(korely.get_facts(user_id=uid)) == []


def test_a_profile_is_grouped_and_has_both_clocks(korely: Korely, uid: str) -> None:
    korely.add_fact_triple("shed", "located_in", "Faro", user_id=uid)
    own = korely.add_fact_triple(uid, "likes", "tea", user_id=uid, valid_from="2026-01-01")
    profile = korely.get_profile(user_id=uid)
    assert (profile.user_id, profile.total, profile.truncated) == (uid, 2, False)
    assert [fact.object for fact in profile.facts] == ["tea", "Faro"]
    assert [fact.id for fact in profile.by_family["preferences"]] == [own.id]
    then = korely.get_profile(user_id=uid, as_of="2026-02-01", exclude_sessions=True)
    assert ([fact.object for fact in then.facts], then.as_of) == (["tea"], "2026-02-01")
    assert korely.get_profile(user_id=uid, known_as_of="2026-02-01").total == 0


def test_a_declared_name_joins_and_belongs_to_one_end_user(korely: Korely, uid: str) -> None:
    name, user = unique("Maria "), f"{uid}@example.com #1"
    fact = korely.add_fact_triple(name, "likes", "opera", user_id=user)
    declared = korely.declare_name(name, user_id=user)
    assert (declared.user_id, declared.name, declared.agent_id) == (user, name, None)
    assert korely.declare_name(name.upper(), user_id=user).since == declared.since
    (read,) = korely.get_facts(user_id=user, subject=user)
    assert (read.id, read.subject_canonical) == (fact.id, user)
    with pytest.raises(ConflictError) as caught:
        korely.declare_name(name, user_id=uid)
    assert caught.value.code == "conflict"


def test_a_declared_name_joins_what_a_text_said_and_what_comes(
    korely: Korely, settle: Settle, uid: str
) -> None:
    name = unique("Petra")
    korely.add(f"{name} lives in Ghent.", user_id=uid, timestamp="2026-01-10")
    settle(uid)
    (told,) = korely.get_facts(user_id=uid)
    assert (told.subject, told.subject_canonical) == (name, name)
    assert korely.get_profile(user_id=uid).facts[0].subject_canonical == name
    korely.declare_name(name, user_id=uid)
    (joined,) = korely.get_facts(user_id=uid, subject=uid)
    assert (joined.id, joined.subject, joined.subject_canonical) == (told.id, name, uid)
    moved = korely.add_fact_triple(uid, "lives_in", "Turku", user_id=uid, valid_from="2026-03-01")
    assert moved.invalidated == [told.id]


def test_a_spent_month_is_a_quota_error(on_plan: Callable[..., Korely], uid: str) -> None:
    client = on_plan(writes_per_month=1)
    fact = client.add_fact_triple(uid, "likes", "tea", user_id=uid)
    with pytest.raises(QuotaExceededError) as caught:
        client.correct_fact(fact.id, object="rum")
    assert (caught.value.limit, caught.value.used) == (1, 1)
    assert client.forget_fact(fact.id).status == "forgotten"
