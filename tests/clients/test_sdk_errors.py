"""The official SDK's error classes, each raised by a live answer.

AuthenticationError, NamespaceForbiddenError (a missing scope, the agent cap, a confined key),
NotFoundError, ConflictError and StaleWriteError, QuotaExceededError, and APIError for the rest.
TooManyBatchesError waits for the batch route.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from korely_memory import (
    APIError,
    AuthenticationError,
    ConflictError,
    Korely,
    KorelyError,
    NamespaceForbiddenError,
    NotFoundError,
    QuotaExceededError,
    StaleWriteError,
)

from tests.api_client import Box, unique
from tests.clients.conftest import Connect

OnPlan = Callable[..., Korely]


def test_an_unknown_key_is_an_authentication_error(connect: Connect) -> None:
    with pytest.raises(AuthenticationError) as caught:
        connect("kor_self_" + "0" * 32).ping()
    assert (caught.value.status, caught.value.code) == (401, "invalid_key")
    assert caught.value.message == "Invalid or missing API key"


def test_a_revoked_key_is_an_authentication_error_on_its_next_call(
    connect: Connect, box: Box, admin: Korely
) -> None:
    made = box.mint()
    client = connect(made["key"])
    assert client.ping().ok
    admin.revoke_key(made["id"])
    with pytest.raises(AuthenticationError):
        client.ping()


def test_a_missing_scope_is_forbidden_and_names_it(connect: Connect, box: Box, uid: str) -> None:
    reader = connect(box.key("memories:read").key)
    with pytest.raises(NamespaceForbiddenError, match="memories:write") as caught:
        reader.add("Not allowed.", user_id=uid)
    assert (caught.value.status, caught.value.code) == (403, "forbidden")
    assert reader.get_all(user_id=uid).total == 0
    with pytest.raises(NamespaceForbiddenError, match="admin"):
        reader.keys()


def test_a_new_agent_past_the_cap_is_forbidden_with_the_numbers(on_plan: OnPlan) -> None:
    korely = on_plan(agents=1)
    korely.add("The first agent.", agent_id="one")
    with pytest.raises(NamespaceForbiddenError) as caught:
        korely.add("A second agent.", agent_id="two")
    assert caught.value.code == "agent_cap_exceeded"
    assert (caught.value.body["cap"], caught.value.body["used"]) == (1, 1)
    korely.add("The first agent again.", agent_id="one")
    assert korely.get_all().total == 2


def test_a_confined_key_is_forbidden_what_it_names_and_blind_to_the_rest(
    connect: Connect, box: Box, korely: Korely, uid: str
) -> None:
    theirs = korely.add("Somebody else's.", user_id=uid)
    confined = connect(box.key(users=["only-me"]).key)
    with pytest.raises(NamespaceForbiddenError, match="confined"):
        confined.get_all(user_id=uid)
    with pytest.raises(NamespaceForbiddenError, match="confined"):
        confined.add("Mine?", user_id=uid)
    with pytest.raises(NotFoundError):
        confined.get(str(theirs.id))
    assert korely.get_all(user_id=uid).total == 1


def test_unknown_and_forgotten_memories_are_not_found(korely: Korely, uid: str) -> None:
    made = korely.add("To be forgotten.", user_id=uid)
    korely.delete(str(made.id))
    for call in (korely.get, korely.delete, lambda one: korely.update(one, content="x")):
        for one in (str(made.id), "mem_" + "0" * 32, "mem_1", "no/such?id#at all"):
            with pytest.raises(NotFoundError) as caught:
                call(one)
            assert (caught.value.status, caught.value.code) == (404, "not_found")
    with pytest.raises(NotFoundError):
        korely.history("mem_" + "0" * 32)


def test_a_stale_update_is_a_stale_write_and_changes_nothing(korely: Korely, uid: str) -> None:
    made = korely.add("First version.", user_id=uid)
    korely.update(str(made.id), content="Second version.")
    with pytest.raises(StaleWriteError) as caught:
        korely.update(str(made.id), content="Late.", expected_updated_at=made.updated_at)
    assert isinstance(caught.value, ConflictError)
    assert (caught.value.status, caught.value.code) == (409, "stale_write")
    assert korely.get(str(made.id)).content == "Second version."


def test_any_other_conflict_is_a_conflict_error(admin: Korely) -> None:
    name = unique("taken")
    admin.create_project(name)
    with pytest.raises(ConflictError) as caught:
        admin.create_project(name.upper())
    assert not isinstance(caught.value, StaleWriteError)
    assert (caught.value.code, caught.value.current_fact_id) == ("conflict", None)


def test_a_spent_month_is_a_quota_error_with_its_numbers(on_plan: OnPlan) -> None:
    korely = on_plan(writes_per_month=2, queries_per_month=1)
    korely.add("One.")
    korely.add("Two.")
    with pytest.raises(QuotaExceededError) as caught:
        korely.add("Three.")
    error = caught.value
    assert (error.status, error.code, error.limit, error.used) == (429, "quota_exceeded", 2, 2)
    assert error.retry_after is None
    today = datetime.now(UTC)
    following = datetime(today.year + today.month // 12, today.month % 12 + 1, 1)
    assert error.resets_at == following.date().isoformat()
    assert korely.get_all().total == 2
    with pytest.raises(QuotaExceededError) as caught:
        korely.get_all()
    assert (caught.value.limit, caught.value.used) == (1, 1)


def test_a_refused_value_is_an_api_error_that_names_the_field(korely: Korely, uid: str) -> None:
    cases: list[tuple[str, Callable[[], object]]] = [
        ("limit", lambda: korely.search("x", limit=51)),
        ("min_score", lambda: korely.search("x", min_score=1.5)),
        ("kind", lambda: korely.add("x", user_id=uid, kind="tool")),
        ("timestamp", lambda: korely.add("x", user_id=uid, timestamp="yesterday")),
        ("as_of", lambda: korely.get_facts(as_of="soon")),
        ("token_budget", lambda: korely.get_context("x", token_budget=49)),
        ("user_id", lambda: korely.get_all(user_id="")),
    ]
    for field, call in cases:
        with pytest.raises(APIError, match=field) as caught:
            call()
        assert type(caught.value) is APIError
        assert (caught.value.status, caught.value.code) == (422, "invalid_request")
        assert caught.value.body["detail"][0]["loc"][-1] == field
    assert korely.get_all(user_id=uid).total == 0


def test_a_call_whose_route_is_not_there_is_not_found(korely: Korely) -> None:
    with pytest.raises(NotFoundError) as caught:
        korely._call("GET", "/v1/no-such-route")
    assert caught.value.code == "not_found"


def test_every_class_is_a_korely_error(connect: Connect) -> None:
    with pytest.raises(KorelyError):
        connect("kor_self_" + "f" * 32).get_all()


def test_a_spent_hour_is_a_quota_error_with_the_seconds_to_wait(on_plan: OnPlan) -> None:
    client = on_plan(per_hour=2)
    client.events()
    client.events()
    with pytest.raises(QuotaExceededError, match="hour") as caught:
        client.events()
    assert (caught.value.status, caught.value.code) == (429, "rate_limit_exceeded")
    assert caught.value.limit is None
    assert caught.value.retry_after is not None
    assert 1 <= int(caught.value.retry_after) <= 3_600
