"""POST /v1/import."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.lines import Line, bare, exported, imported, of_kind, send, text_of
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused

HEADER: Line = {"type": "header", "format": "korely-export", "version": 1}
THEN = "2026-01-10T00:00:00+00:00"
NOTHING = {
    "memories_imported": 0,
    "facts_imported": 0,
    "names_imported": 0,
    "skipped": 0,
    "failed": 0,
    "errors": [],
    "complete": False,
}


def memory(content: str = "Why?", **fields: Any) -> Line:
    made = {"type": "memory", "id": f"mem_{uuid.uuid4().hex}", "content": content}
    return {**made, "user_id": "u", "created_at": THEN, **fields}


def fact(value: str, valid_from: str = THEN, **fields: Any) -> Line:
    made = {"type": "fact", "id": f"fct_{uuid.uuid4().hex}", "subject": "u", "object": value}
    moments = {"valid_from": valid_from, "created_at": THEN}
    return {**made, "predicate": "works_at", "user_id": "u", **moments, **fields}


def nothing_is_stored(api: Api) -> None:
    assert len(exported(api)) == 2


@pytest.fixture
def filled(fresh: WatchedBox) -> WatchedBox:
    """A project with the history of one end user: two towns, a plan, a name, a session."""
    api = fresh.api
    more = {"metadata": {"a": {"b": [1, None, 1e-7, 10**40]}}, "run_id": "r", "agent_id": "bot"}
    api.told("I live in Rome.", "anna", timestamp="2026-01-10", **more)
    api.told("I moved to Milan.", "anna", timestamp="2026-05-20", agent_id="bot")
    api.told("Annie likes tea.", "anna")
    api.told("I work at Acme.", "anna", kind="session")
    changed = api.told("I like olives.", "anna")
    ok(api.patch(f"/v1/memories/{changed['id']}", {"content": "I like figs."}))
    api.settle()
    ok(api.post("/v1/users/anna/names", {"name": "Annie"}), 201)
    stated = {"subject": "anna", "predicate": "has_goal", "object": "a marathon"}
    ok(api.post("/v1/facts", {**stated, "user_id": "anna", "tense": "planned"}), 201)
    api.add("Of nobody?")
    api.settle()
    return fresh


def asked(api: Api, moments: list[str]) -> list[Any]:
    """What an end user's facts are at instants of either clock, and the reads beside them."""
    found: list[Any] = []
    for moment in moments:
        for query in ({"as_of": moment}, {"known_as_of": moment}):
            found.append(api.facts(user_id="anna", limit=200, **query))
    found.append(api.facts(user_id="anna", include_invalidated="true"))
    found.append(api.facts(user_id="anna", exclude_sessions="true"))
    found.append(api.facts(entity="Annie"))
    found.append(ok(api.get("/v1/profile", user_id="anna")))
    return found


def test_an_export_erased_and_imported_answers_the_same_questions(filled: WatchedBox) -> None:
    api = filled.api
    lines = exported(api)
    learned = [line["created_at"] for line in of_kind(lines, "fact")]
    moments = ["2026-01-01", "2026-03-01", "2026-06-01", *learned]
    before = asked(api, moments)
    assert len({str(answer) for answer in before}) > 5
    ok(api.delete("/v1/users/anna/memories"))
    done = imported(api, lines)
    counts = lines[-1]
    assert done == {
        **NOTHING,
        "memories_imported": counts["memories"] - 1,
        "facts_imported": counts["facts"],
        "names_imported": 1,
        "skipped": 1,  # the memory of nobody was not erased
        "complete": True,
    }
    assert asked(api, moments) == before
    assert exported(api)[1:] == lines[1:]
    for line in of_kind(lines, "memory"):
        read = ok(api.get(f"/v1/memories/{line['id']}"))
        assert {name: read[name] for name in bare(line)} == bare(line)
    assert api.search("I moved to Milan", user_id="anna")[0]["snippet"] == "I moved to Milan."
    hits = api.search("a long run", user_id="anna", types=["facts"])
    assert "a marathon" in [hit["fact"]["object"] for hit in hits]


def test_importing_twice_changes_nothing_and_another_project_takes_the_same_ids(
    filled: WatchedBox, on_plan: Callable[..., Api]
) -> None:
    stranger = on_plan()
    lines = exported(filled.api)
    counts = lines[-1]
    everything = sum(counts[kind] for kind in ("memories", "facts", "names"))
    again = imported(filled.api, lines)
    assert again == {**NOTHING, "skipped": everything, "complete": True}
    assert exported(filled.api)[1:] == lines[1:]
    for target in (WatchedBox(filled.boot, filled.oracle).api, stranger):
        done = imported(target, lines)
        assert (done["memories_imported"], done["skipped"]) == (counts["memories"], 0)
        assert exported(target)[1:] == lines[1:]
    ok(stranger.delete("/v1/users/anna/memories"))
    assert exported(filled.api)[1:] == lines[1:]


def test_nothing_is_extracted_and_memories_arrive_ready(fresh: WatchedBox) -> None:
    line = memory("I live in Rome.", status="processing", client="an/1", kind="session")
    assert imported(fresh.api, [HEADER, line])["memories_imported"] == 1
    events = ok(fresh.api.get("/v1/events"))
    assert (events["processing"], events["events"][0]["status"]) == (0, "ready")
    read = ok(fresh.api.get(f"/v1/memories/{line['id']}"))
    assert (read["facts"], read["client"], read["kind"]) == ([], "an/1", "session")
    assert (read["created_at"], read["updated_at"]) == (THEN, THEN)
    (event,) = ok(fresh.api.get("/v1/audit", action="import"))["events"]
    assert event["meta"] == {"memories": 1, "facts": 0, "names": 0}


BAD: list[tuple[Any, str]] = [
    ("not json", "not JSON"),
    ("[1]", "object"),
    ('{"type": "memory"}', "id"),
    ('{"type": "alien"}', "type"),
    ('{"type": ["memory"]}', "type"),
    ('{"type": "memory", "type": "memory"}', "twice"),
    (memory(id="mem_1"), "id"),
    (memory(content="  "), "content"),
    (memory(content="x" * 16_001), "content"),
    (memory(content="n\x00l"), "content"),
    (memory(user_id="a/b"), "user_id"),
    (memory(kind="other"), "kind"),
    (memory(metadata=[]), "metadata"),
    (memory(created_at="yesterday"), "created_at"),
    (memory(created_at="2999-01-01"), "created_at"),
    (memory(updated_at="2020-01-01"), "updated_at"),
    (memory(project_id="x"), "project_id"),
    (fact("Acme", invalid_at=THEN), "closed_known_at"),
    (fact("Acme", closed_reason="stated"), "closed_reason"),
    (fact("Acme", invalidated_by=f"fct_{'0' * 32}"), "invalidated_by"),
    (
        fact("A", invalid_at="2020-01-01", closed_known_at=THEN, closed_reason="stated"),
        "invalid_at",
    ),
    (fact("Acme", observation_count=0), "observation_count"),
    (fact("Acme", confidence=2), "confidence"),
    (fact("Acme", tense="never"), "tense"),
    (fact("Acme", source_memory_ids=["x"]), "source_memory_ids"),
    (fact("Acme", source_memory_ids=[f"mem_{'0' * 32}"]), "source_memory_ids"),
    ({"type": "name", "name": "Annie", "since": THEN}, "user_id"),
    ({"type": "end", "memories": -1, "facts": 0, "names": 0}, "memories"),
]


def test_each_bad_line_fails_alone_and_names_what_is_wrong(fresh: WatchedBox) -> None:
    first, last = memory("Who is first?"), memory("Who is last?")
    lines = [HEADER, first, *(bad for bad, _ in BAD), last]
    texts = [line if isinstance(line, str) else text_of([line]).decode()[:-1] for line in lines]
    done = ok(send(fresh.api, "\n".join(texts).encode()))
    assert [error["line"] for error in done["errors"]] == list(range(3, 3 + len(BAD)))
    for error, (_, word) in zip(done["errors"], BAD, strict=True):
        assert word in error["error"], error
    assert (done["memories_imported"], done["failed"], done["complete"]) == (2, len(BAD), False)
    assert [m["content"] for m in of_kind(exported(fresh.api), "memory")] == sorted(
        (first["content"], last["content"]),
        key=lambda content: (first if content == first["content"] else last)["id"],
    )


def test_blank_lines_count_and_long_ones_fail(fresh: WatchedBox) -> None:
    whole = text_of([HEADER]) + b"\r\n  \n" + text_of([memory()]) + b" " * 3_000_000 + b"\n"
    done = ok(send(fresh.api, whole + b'{"x": "' + b"x" * 3_000_000 + b'"}\n[]'))
    assert done["memories_imported"] == 1
    assert [error["line"] for error in done["errors"]] == [5, 6, 7]
    assert "longer" in done["errors"][1]["error"]


def test_lines_past_the_most_that_a_body_can_say_are_not_read(api: Api) -> None:
    most_lines = 67_108_864 // 61  # bytes of a body, of the shortest line that says anything
    most = text_of([HEADER]) + b"\n" * (most_lines - 2)
    done = ok(send(api, most + b"{}\n{}\n" + text_of([memory()])))
    wrong = {"line": most_lines + 1, "error": f"lines past the first {most_lines:,} are not read"}
    assert (done["memories_imported"], done["errors"][1:]) == (0, [wrong])


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ({**HEADER, "version": 2}, "version"),
        ({**HEADER, "version": "1"}, "version"),
        ({**HEADER, "format": "other"}, "format"),
        ({**HEADER, "extra": 1}, "extra"),
        (memory(), "type"),
    ],
)
def test_another_format_or_version_is_422_and_stores_nothing(
    fresh: WatchedBox, header: Line, field: str
) -> None:
    response = send(fresh.api, text_of([header, memory()]))
    refused(response, 422, "invalid_request", field)
    nothing_is_stored(fresh.api)


@pytest.mark.parametrize("body", [b"", b"\n\n", b"x\n", b"[]\n", b"\xff\n"])
def test_a_body_without_a_header_is_422(api: Api, body: bytes) -> None:
    refused(send(api, body), 422, "invalid_request")


def test_another_media_type_is_415_and_the_limit_is_64_mib(fresh: WatchedBox) -> None:
    body = text_of([HEADER, memory()])
    for kind in ("application/json", "text/plain"):
        headers = {"Content-Type": kind}
        response = fresh.api.request("POST", "/v1/import", content=body, headers=headers)
        refused(response, 415, "unsupported_media_type")
    nothing_is_stored(fresh.api)
    blank = (b" " * 1_048_575 + b"\n") * 64
    done = ok(send(fresh.api, body + blank[len(body) :]))
    assert done["memories_imported"] == 1
    refused(send(fresh.api, blank + b" "), 413, "payload_too_large", "67,108,864")


def test_complete_needs_an_end_line_whose_counts_agree(fresh: WatchedBox) -> None:
    one = memory()
    end = {"type": "end", "memories": 1, "facts": 0, "names": 0}
    assert imported(fresh.api, [HEADER, one, end])["complete"] is True
    assert imported(fresh.api, [HEADER, one, {**end, "memories": 2}])["complete"] is False
    assert imported(fresh.api, [HEADER, one])["complete"] is False
    after = imported(fresh.api, [HEADER, one, end, memory()])
    assert (after["complete"], after["failed"], after["memories_imported"]) == (False, 1, 0)


def test_of_two_open_facts_of_a_single_slot_the_later_one_stays(fresh: WatchedBox) -> None:
    api = fresh.api
    made = ok(
        api.post(
            "/v1/facts",
            {
                "subject": "u",
                "predicate": "works_at",
                "object": "B",
                "user_id": "u",
                "valid_from": "2025-01-01",
            },
        ),
        201,
    )
    older = fact("A", "2020-01-01")
    assert imported(api, [HEADER, older])["facts_imported"] == 1
    (open_one,) = api.facts(user_id="u")
    assert open_one["id"] == made["id"]
    closed = next(f for f in api.facts(include_invalidated="true") if f["id"] == older["id"])
    assert (closed["invalid_at"], closed["invalidated_by"]) == (made["valid_from"], made["id"])
    newer = fact("C", "2026-01-01T00:00:00+00:00")
    assert imported(api, [HEADER, newer])["facts_imported"] == 1
    assert [f["object"] for f in api.facts(user_id="u")] == ["C"]
    ended = next(f for f in api.facts(include_invalidated="true") if f["id"] == made["id"])
    assert (ended["invalid_at"], ended["invalidated_by"]) == (newer["valid_from"], newer["id"])


def test_a_source_of_another_end_user_is_no_source(fresh: WatchedBox) -> None:
    theirs, other = memory(), memory(user_id="other")
    both = fact("A", source_memory_ids=[other["id"], theirs["id"]])
    alone = fact("B", source_memory_ids=[other["id"]], predicate="likes")
    done = imported(fresh.api, [HEADER, both, alone, theirs, other])
    assert (done["memories_imported"], done["facts_imported"]) == (2, 1)
    assert [error["line"] for error in done["errors"]] == [3]
    (found,) = fresh.api.facts(user_id="u")
    assert found["source_memory_ids"] == [theirs["id"]]


def test_lines_out_of_a_confined_keys_reach_fail_alone(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["u"])
    name = {"type": "name", "name": "Bo", "since": THEN}
    others = [
        memory(user_id="v"),
        memory(user_id=None),
        fact("A", user_id="v"),
        {**name, "user_id": "v"},
    ]
    done = imported(confined, [HEADER, *others, memory(), fact("B"), {**name, "user_id": "u"}])
    assert [error["line"] for error in done["errors"]] == [2, 3, 4, 5]
    assert all("confined" in error["error"] for error in done["errors"])
    assert {line["user_id"] for line in exported(fresh.api)[1:-1]} == {"u"}
    assert len(exported(fresh.api)) == 5


def test_a_name_that_is_another_end_users_here_fails(fresh: WatchedBox) -> None:
    ok(fresh.api.post("/v1/users/v/names", {"name": "BO"}), 201)
    name = {"type": "name", "name": "Bo", "since": THEN, "user_id": "u"}
    done = imported(fresh.api, [HEADER, name])
    assert (done["names_imported"], done["failed"], done["skipped"]) == (0, 1, 0)


def test_every_memory_stored_costs_one_write_and_none_more(on_plan: Callable[..., Api]) -> None:
    api = on_plan(writes_per_month=5)
    known = memory()
    bad = memory(kind="other")
    lines = [HEADER, known, known, bad, memory(), fact("A"), memory("Who?")]
    done = imported(api, lines)
    assert (done["memories_imported"], done["skipped"], done["failed"]) == (3, 1, 1)
    rest = imported(api, [HEADER, known, *(memory() for _ in range(4)), fact("B", "2026-02-01")])
    assert (rest["memories_imported"], rest["facts_imported"], rest["skipped"]) == (2, 1, 1)
    assert [error["line"] for error in rest["errors"]] == [5, 6]
    assert "quota" in rest["errors"][0]["error"]
    told = refused(send(api, text_of([HEADER, memory()])), 429, "quota_exceeded")
    assert (told["limit"], told["used"]) == (5, 5)
    assert len(of_kind(exported(api), "memory")) == 5


def test_lines_past_the_agent_cap_fail_and_give_their_write_back(
    on_plan: Callable[..., Api],
) -> None:
    api = on_plan(writes_per_month=2, agents=1)
    lines = [HEADER, memory(agent_id="a"), memory(agent_id="b"), fact("A", agent_id="b")]
    done = imported(api, lines)
    assert [error["line"] for error in done["errors"]] == [3, 4]
    assert done["memories_imported"] == 1
    assert imported(api, [HEADER, memory(agent_id="a")])["memories_imported"] == 1


def test_what_lines_give_back_is_there_for_those_that_were_read_meanwhile(
    on_plan: Callable[..., Api],
) -> None:
    api = on_plan(writes_per_month=70, agents=1)
    lines = [memory(f"Line {n}?", agent_id="b" if n in range(5, 15) else "a") for n in range(64)]
    again = [lines[20], lines[63], *(memory(f"More {n}?") for n in range(17)), lines[20]]
    done = imported(api, [HEADER, *lines, *again])
    assert (done["memories_imported"], done["skipped"]) == (70, 3)
    assert [error["line"] for error in done["errors"]] == [*range(7, 17), 84]
    assert "quota" in done["errors"][-1]["error"]
    assert len(of_kind(exported(api), "memory")) == 70


def test_imports_of_one_file_at_once_store_each_line_once(fresh: WatchedBox) -> None:
    lines = [HEADER, *(memory(f"Who is {n}?") for n in range(100)), fact("A"), fact("B")]
    answers: list[dict[str, Any]] = []

    def run(order: int) -> None:
        api = fresh.key()
        answers.append(imported(api, [HEADER, *lines[1:][::order]]))

    threads = [threading.Thread(target=run, args=(order,)) for order in (1, -1, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(answer["memories_imported"] for answer in answers) == 100
    assert sum(answer["facts_imported"] for answer in answers) == 2
    assert sum(answer["skipped"] for answer in answers) == 204
    assert len(exported(fresh.api)) == 104
    assert len(fresh.api.facts(user_id="u")) == 1
