"""GET /v1/memories and GET /v1/memories/{id}."""

from __future__ import annotations

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique

MEMORIES = "/v1/memories"


def listed(api: Api, **query: object) -> list[str]:
    return [one["id"] for one in ok(api.get(MEMORIES, **query))["memories"]]


def test_the_facts_of_a_memory_are_those_it_states_now(api: Api, uid: str) -> None:
    first = api.told("I live in Rome. I like tea.", uid, timestamp="2026-01-01")
    assert sorted(fact["object"] for fact in first["facts"]) == ["Rome", "tea"]
    assert {fact["source_memory_id"] for fact in first["facts"]} == {first["id"]}
    api.told("I live in Milan.", uid, timestamp="2026-02-01")
    now = ok(api.get(f"{MEMORIES}/{first['id']}"))
    assert [fact["object"] for fact in now["facts"]] == ["tea"]
    assert now["updated_at"] == now["created_at"]


@pytest.mark.parametrize("spell", ["bare", "hyphens", "upper", "upper hyphens"])
def test_an_id_is_read_in_every_spelling(api: Api, uid: str, spell: str) -> None:
    made = api.add("Spelled.", user_id=uid)
    raw = made["id"][4:]
    hyphens = "-".join([raw[:8], raw[8:12], raw[12:16], raw[16:20], raw[20:]])
    form = {
        "bare": raw,
        "hyphens": hyphens,
        "upper": raw.upper(),
        "upper hyphens": hyphens.upper(),
    }[spell]
    assert ok(api.get(f"{MEMORIES}/{form}"))["id"] == made["id"]
    assert ok(api.get(f"{MEMORIES}/{form}/history"))["id"] == made["id"]
    assert ok(api.patch(f"{MEMORIES}/{form}", {"content": "Changed."}))["id"] == made["id"]
    assert ok(api.delete(f"{MEMORIES}/{form}"))["id"] == made["id"]


def test_an_id_with_its_prefix_is_read_as_it_is_answered_alone(api: Api, uid: str) -> None:
    made = api.add("Spelled.", user_id=uid)
    refused(api.get(f"{MEMORIES}/mem_{made['id'][4:].upper()}"), 404, "not_found")


@pytest.mark.parametrize(
    "bad",
    [
        *(f"mem_{'0' * 32}", "mem_1", "x", f"fct_{'0' * 32}", f"mem_{'0' * 33}", "null", "1", "-1"),
        *("%20", "mem_%C3%A9", "mem_", f"mem_{'g' * 32}", f"MEM_{'0' * 32}", "x" * 300),
        *(f"mem_mem_{'0' * 32}", f"{'0' * 32}%0A", f"%7B{'0' * 32}%7D", f"urn:uuid:{'0' * 32}"),
    ],
)
def test_an_unknown_or_malformed_id_is_404_on_every_route(api: Api, bad: str) -> None:
    path = f"{MEMORIES}/{bad}"
    for response in (
        api.get(path),
        api.get(f"{path}/history"),
        api.delete(path),
        api.patch(path, {"content": "x"}),
    ):
        assert refused(response, 404, "not_found")["message"] == "No such memory"


def test_the_list_is_newest_first_and_pages_to_its_total(api: Api, uid: str) -> None:
    ids = [api.add(f"Page {n}", user_id=uid)["id"] for n in range(5)][::-1]
    seen = []
    for offset in (0, 2, 4):
        page = ok(api.get(MEMORIES, user_id=uid, limit=2, offset=offset))
        assert page["total"] == 5
        seen += [one["id"] for one in page["memories"]]
    assert seen == ids
    assert ok(api.get(MEMORIES, user_id=uid, offset=5)) == {"memories": [], "total": 5}
    assert ok(api.get(MEMORIES, user_id=uid, offset=2_147_483_647))["total"] == 5
    assert listed(api, user_id=uid, limit=200) == ids


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("limit", one) for one in (0, 201, -1, 10**30)),
        *(("offset", one) for one in (-1, 2_147_483_648, 10**30)),
    ],
)
def test_a_page_out_of_range_is_422_and_never_clamped(api: Api, name: str, value: int) -> None:
    for path in (MEMORIES, "/v1/facts"):
        refused(api.get(path, **{name: value}), 422, "invalid_request", name)


def test_fifty_are_listed_when_no_limit_is_given(fresh: WatchedBox) -> None:
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory

    project = parse("prj", fresh.project["id"])
    assert project is not None
    with project_scope(project):
        for n in range(52):
            Memory(project_id=project, content=f"Item {n}", status="ready").save(force_insert=True)
    page = ok(fresh.api.get(MEMORIES))
    assert (len(page["memories"]), page["total"]) == (50, 52)
    assert page["memories"][0]["content"] == "Item 51"


def test_filters_are_anded_and_exact(api: Api, uid: str) -> None:
    one = api.add("One", user_id=uid, agent_id="bot", run_id="r1")["id"]
    two = api.add("Two", user_id=uid, agent_id="bot", run_id="r2")["id"]
    three = api.add("Three", user_id=uid, run_id="r1", kind="session")["id"]
    assert listed(api, user_id=uid) == [three, two, one]
    assert listed(api, user_id=uid, agent_id="bot") == [two, one]
    assert listed(api, user_id=uid, run_id="r1") == [three, one]
    assert listed(api, user_id=uid, agent_id="bot", run_id="r1") == [one]
    assert listed(api, user_id=uid, exclude_sessions=True) == [two, one]
    for other in (uid.upper(), f"{uid} ", f"{uid}*", f"%{uid}", unique()):
        assert listed(api, user_id=other) == []
    assert listed(api, user_id=uid, agent_id="BOT") == []


def test_without_a_user_the_list_covers_the_project_and_nobody_s(fresh: WatchedBox) -> None:
    mine = fresh.api.add("Mine", user_id="a")["id"]
    nobody = fresh.api.add("Nobody's")["id"]
    assert listed(fresh.api) == [nobody, mine]
    assert listed(fresh.api, user_id="a") == [mine]


@pytest.mark.parametrize("field", ["user_id", "agent_id", "run_id"])
def test_an_empty_id_never_means_everyone(api: Api, field: str) -> None:
    api.add("Somebody's", user_id="somebody", agent_id="agent", run_id="run")
    for empty in ("", " ", "%09"):
        response = api.request("GET", f"{MEMORIES}?{field}={empty}")
        refused(response, 422, "invalid_request", field)
        if empty != "%09":
            body = {"query": "x", field: empty}
            refused(api.post(f"{MEMORIES}/search", body), 422, "invalid_request", field)
    if field != "run_id":
        for path in ("/v1/facts?", "/v1/context?query=x&"):
            response = api.request("GET", f"{path}{field}=")
            refused(response, 422, "invalid_request", field)
    if field == "user_id":
        refused(api.request("GET", "/v1/events?user_id="), 422, "invalid_request", field)
