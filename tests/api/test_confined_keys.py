"""Keys made with `users`: they reach those end users and nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique


class House:
    """A project with the same two facts for three end users and for nobody."""

    def __init__(self, box: WatchedBox) -> None:
        self.box, self.whole = box, box.api
        self.made: dict[str | None, dict[str, Any]] = {}
        for user in ("anna", "team-1", "bob", None):
            scope = {} if user is None else {"user_id": user}
            self.made[user] = self.whole.add("I live in Rome. I like tea.", **scope)
        self.whole.settle()
        self.confined = box.key(users=["anna", "team-*"])
        self.one = box.key(users=["anna"])

    def path(self, user: str | None) -> str:
        return f"/v1/memories/{self.made[user]['id']}"


@pytest.fixture(scope="module")
def house(box: WatchedBox) -> House:
    return House(box)


def test_reads_without_a_user_cover_only_theirs(house: House) -> None:
    reach = {"anna", "team-1"}
    page = ok(house.confined.get("/v1/memories"))
    assert ({one["user_id"] for one in page["memories"]}, page["total"]) == (reach, 2)
    facts = ok(house.confined.get("/v1/facts"))
    assert ({one["user_id"] for one in facts["facts"]}, facts["total"]) == (reach, 4)
    assert ok(house.confined.get("/v1/facts", include_invalidated=True))["total"] == 4
    for types in (["memories"], ["facts"], ["memories", "facts"]):
        hits = house.confined.search("Rome and tea", types=types, limit=50)
        assert {hit["user_id"] for hit in hits} == reach
    sources = set(house.confined.context("Rome and tea")["sources"])
    assert sources == {
        *(fact["id"] for fact in facts["facts"]),
        *(memory["id"] for memory in page["memories"]),
    }
    events = ok(house.confined.get("/v1/events"))
    assert {one["user_id"] for one in events["events"]} == reach
    assert {one["user_id"] for one in ok(house.one.get("/v1/memories"))["memories"]} == {"anna"}


def test_reads_that_name_one_of_theirs_work(house: House) -> None:
    for user in ("anna", "team-1"):
        assert ok(house.confined.get("/v1/memories", user_id=user))["total"] == 1
        assert len(house.confined.facts(user_id=user)) == 2
        assert len(house.confined.search("Rome", user_id=user)) == 1
        assert house.confined.context("Rome", user_id=user)["sources"]
        assert len(ok(house.confined.get("/v1/events", user_id=user))["events"]) == 1
        assert ok(house.confined.get(house.path(user)))["user_id"] == user
        assert ok(house.confined.get(f"{house.path(user)}/history"))["events"]
    assert ok(house.confined.get("/v1/memories", user_id="team-99"))["total"] == 0


@pytest.mark.parametrize("user", ["bob", "Anna", "ann", "annab", "team", "Team-1", "team_1", "*"])
def test_reads_that_name_another_are_403(house: House, user: str) -> None:
    for response in (
        house.confined.get("/v1/memories", user_id=user),
        house.confined.get("/v1/facts", user_id=user),
        house.confined.get("/v1/context", query="Rome", user_id=user),
        house.confined.get("/v1/events", user_id=user),
        house.confined.post("/v1/memories/search", {"query": "Rome", "user_id": user}),
        house.confined.post(
            "/v1/memories/search", {"query": "Rome", "user_id": user, "types": ["facts"]}
        ),
    ):
        refused(response, 403, "forbidden", "confined")


def test_writes_that_name_another_or_nobody_are_403_and_store_nothing(house: House) -> None:
    before = ok(house.whole.get("/v1/memories"))["total"]
    for scope in ({"user_id": "bob"}, {"user_id": "new"}, {}, {"user_id": None}):
        body = {"content": "Not allowed.", "agent_id": "sneaked-in", **scope}
        refused(house.confined.post("/v1/memories", body), 403, "forbidden", "confined")
    assert ok(house.whole.get("/v1/memories"))["total"] == before
    assert ok(house.whole.get("/v1/memories", agent_id="sneaked-in"))["total"] == 0


def test_objects_of_another_or_of_nobody_are_404_and_unchanged(house: House) -> None:
    for user in ("bob", None):
        path = house.path(user)
        unknown = house.confined.get(f"/v1/memories/mem_{'0' * 32}")
        for response in (
            house.confined.get(path),
            house.confined.get(f"{path}/history"),
            house.confined.patch(path, {"content": "x"}),
            house.confined.patch(path, {"content": "x", "expected_updated_at": "2020-01-01"}),
            house.confined.delete(path),
        ):
            refused(response, 404, "not_found")
            assert response.content == unknown.content
        assert ok(house.whole.get(path))["content"] == "I live in Rome. I like tea."
        assert len(house.whole.facts(user_id="bob")) == 2


def test_writes_on_their_own_work(house: House, uid: str) -> None:
    mine = house.box.key(users=[f"{uid}*"])
    made = mine.told("I live in Oslo.", f"{uid}-1")
    path = f"/v1/memories/{made['id']}"
    assert ok(mine.patch(path, {"content": "I live in Bern."}))["user_id"] == f"{uid}-1"
    mine.settle(f"{uid}-1")
    assert [fact["object"] for fact in mine.facts()] == ["Bern"]
    assert ok(mine.delete(path))["facts_invalidated"] == 1
    assert mine.add("Exactly the prefix.", user_id=uid)["user_id"] == uid


def test_a_prefix_is_no_pattern(box: WatchedBox) -> None:
    """`%` and `_` in a prefix stand for themselves."""
    stem = unique("p")
    for user in (f"{stem}%x", f"{stem}_x", f"{stem}ax"):
        box.api.add("Pattern.", user_id=user)
    for pattern, reach in ((f"{stem}%*", {f"{stem}%x"}), (f"{stem}_*", {f"{stem}_x"})):
        key = box.key(users=[pattern])
        seen = {one["user_id"] for one in ok(key.get("/v1/memories"))["memories"]}
        assert seen == reach
        assert {hit["user_id"] for hit in key.search("pattern")} == reach
        assert {one["user_id"] for one in ok(key.get("/v1/events"))["events"]} == reach
        refused(key.get("/v1/memories", user_id=f"{stem}ax"), 403, "forbidden", "confined")


def test_confinement_comes_with_a_missing_scope(box: WatchedBox) -> None:
    reader = box.key("memories:read", users=["anna"])
    body = {"content": "x", "user_id": "anna"}
    refused(reader.post("/v1/memories", body), 403, "forbidden", "memories:write")
    refused(reader.get("/admin/keys"), 403, "forbidden", "admin")
    ok(reader.get("/v1/ping"))


def test_a_key_confined_to_one_asks_for_another_and_for_none(box: WatchedBox, uid: str) -> None:
    """The same text under two users: nothing of `b` by name, only `a` without one."""
    a, b = f"{uid}-a", f"{uid}-b"
    api: Api = box.api
    for user in (a, b):
        api.add("I live in Rome.", user_id=user)
    api.settle(a)
    api.settle(b)
    key = box.key(users=[a])
    refused(key.get("/v1/facts", user_id=b), 403, "forbidden", "confined")
    assert {fact["user_id"] for fact in key.facts()} == {a}
    block = key.context("Rome")
    assert b not in block["context"]
    assert len(block["sources"]) == 2


def test_a_key_with_an_empty_list_reaches_nobody(house: House) -> None:
    """A list that lost its last name must never come to mean everyone."""
    from accounts.models import ApiKey

    made = house.box.mint(users=["anna"])
    ApiKey.objects.filter(pk=made["id"][4:]).update(users=[])
    empty = Api(house.whole.base_url, made["key"])
    before = ok(house.whole.get("/v1/memories"))["total"]
    for path, name in (
        ("/v1/memories", "memories"),
        ("/v1/facts", "facts"),
        ("/v1/users", "users"),
        ("/v1/agents", "agents"),
        ("/v1/events", "events"),
        ("/v1/audit", "events"),
    ):
        assert ok(empty.get(path))[name] == [], path
        if path not in ("/v1/users", "/v1/agents"):  # these take no user_id
            refused(empty.get(path, user_id="anna"), 403, "forbidden", "confined")
    assert ok(empty.get("/v1/events"))["processing"] == 0
    for types in (["memories"], ["facts"], ["memories", "facts"]):
        assert empty.search("Rome and tea", types=types) == []
    assert empty.context("Rome and tea")["sources"] == []
    for body in ({"content": "x"}, {"content": "x", "user_id": "anna"}):
        refused(empty.post("/v1/memories", body), 403, "forbidden", "confined")
    for user in ("anna", None):
        for method in ("GET", "DELETE"):
            refused(empty.request(method, house.path(user)), 404, "not_found")
    refused(empty.delete("/v1/users/anna/memories"), 403, "forbidden", "confined")
    assert ok(house.whole.get("/v1/memories"))["total"] == before
