"""POST /v1/memories."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from korely.kernel import clock
from tests.api_client import Api, ok, refused

MEMORIES = "/v1/memories"


def nothing_stored(api: Api, uid: str) -> bool:
    return bool(ok(api.get(MEMORIES, user_id=uid))["total"] == 0)


def test_a_full_write_is_answered_with_every_field(api: Api, uid: str) -> None:
    before = datetime.now(UTC)
    made = api.add(
        "Giulia prefers async standups.",
        user_id=uid,
        agent_id="bot",
        run_id="r/1",
        metadata={"source": "chat"},
        timestamp="2026-03-01",
        kind="session",
    )
    assert (made["user_id"], made["agent_id"], made["run_id"]) == (uid, "bot", "r/1")
    assert (made["kind"], made["client"], made["metadata"]) == ("session", None, {"source": "chat"})
    assert made["timestamp"] == "2026-03-01T00:00:00+00:00"
    assert made["updated_at"] == made["created_at"]
    assert made["status"] == "processing"
    assert made["facts"] == []
    assert abs((clock.read(made["created_at"]) - before).total_seconds()) < 30


def test_a_bare_write_has_nulls_and_belongs_to_nobody(api: Api, uid: str) -> None:
    made = api.add("No scope at all.")
    assert [made[name] for name in ("user_id", "agent_id", "run_id", "client", "timestamp")] == (
        [None] * 5
    )
    assert (made["metadata"], made["kind"]) == ({}, "note")
    assert nothing_stored(api, uid)


def test_explicit_nulls_mean_not_sent(api: Api) -> None:
    optional = ("user_id", "agent_id", "run_id", "metadata", "timestamp", "kind")
    made = api.add("Nulls.", **dict.fromkeys(optional))
    assert (made["user_id"], made["metadata"], made["kind"]) == (None, {}, "note")
    refused(api.post(MEMORIES, {"content": None}), 422, "invalid_request", "content")


def test_a_memory_is_found_by_every_read_when_its_answer_leaves(api: Api, uid: str) -> None:
    """POST, 201, search at once: a hit."""
    made = api.add("The espresso machine is a Faema.", user_id=uid)
    got = ok(api.get(f"{MEMORIES}/{made['id']}"))
    assert {**got, "status": 0, "facts": 0} == {**made, "status": 0, "facts": 0}
    page = ok(api.get(MEMORIES, user_id=uid))
    assert [one["id"] for one in page["memories"]] == [made["id"]]
    assert "facts" not in page["memories"][0]
    assert [hit["id"] for hit in api.search("espresso machine", user_id=uid)] == [made["id"]]
    assert made["id"] in api.context("espresso machine", user_id=uid)["sources"]


@pytest.mark.parametrize(
    "content",
    ["x", "🙂", "y" * 16_000, "🙂" * 16_000, " \n\t padded \u2003\n", "z" * 16_000 + " \n"],
)
def test_content_of_1_to_16000_characters_is_stored_stripped(
    api: Api, uid: str, content: str
) -> None:
    made = api.add(content, user_id=uid)
    assert ok(api.get(f"{MEMORIES}/{made['id']}"))["content"] == content.strip()


@pytest.mark.parametrize("content", ["", " ", "\n\t\u3000 ", "y" * 16_001, "nul\x00byte", "\x00"])
def test_content_out_of_bounds_is_422_and_stores_nothing(api: Api, uid: str, content: str) -> None:
    body = {"content": content, "user_id": uid}
    refused(api.post(MEMORIES, body), 422, "invalid_request", "content")
    assert nothing_stored(api, uid)


@pytest.mark.parametrize("field", ["user_id", "agent_id", "run_id"])
@pytest.mark.parametrize(
    "value",
    ["a", "é" * 255, "maria@example.com", "a b #1 100% ?x=1&y 🙂", "-", "0", "null", "...", " x "],
)
def test_ids_are_kept_exactly(api: Api, field: str, value: str) -> None:
    assert api.add("Ids.", **{field: value})[field] == value


@pytest.mark.parametrize("field", ["user_id", "agent_id", "run_id"])
@pytest.mark.parametrize(
    "value", ["", "   ", "x" * 256, "new\nline", "nul\x00", "del\x7f", "c1\x85", "tab\t", "\x1b[0m"]
)
def test_ids_that_no_one_could_type_are_refused(api: Api, field: str, value: str) -> None:
    before = ok(api.get(MEMORIES))["total"]
    refused(api.post(MEMORIES, {"content": "x", field: value}), 422, "invalid_request", field)
    assert ok(api.get(MEMORIES))["total"] == before


@pytest.mark.parametrize("value", ["a/b", "/", ".", "..", "https://example.com/x"])
def test_an_id_that_does_not_fit_in_a_path_is_refused_but_not_as_a_session(
    api: Api, value: str
) -> None:
    for field in ("user_id", "agent_id"):
        refused(api.post(MEMORIES, {"content": "x", field: value}), 422, "invalid_request", field)
    assert api.add("x", run_id=value)["run_id"] == value


def test_metadata_comes_back_exactly_as_sent(api: Api, uid: str) -> None:
    value = {
        "null": None,
        "yes": True,
        "no": False,
        "integer": 5,
        "real": 1.5,
        "whole real": 5.0,
        "huge": 10**999,
        "large real": 1e300,
        "small": -2.5e-10,
        "text": 'è 🙂 " \\ \n \u2028',
        "": "an empty key",
        "list": [1, "a", [], {"b": None}],
        "nested": {"a": {"b": [1, 2, {"c": None}]}},
        "dots.and spaces": 1,
    }
    made = api.add("Metadata.", user_id=uid, metadata=value)
    sources = [
        made,
        ok(api.get(f"{MEMORIES}/{made['id']}")),
        ok(api.get(MEMORIES, user_id=uid))["memories"][0],
        api.search("metadata", user_id=uid)[0],
    ]
    for source in sources:
        assert source["metadata"] == value
        assert isinstance(source["metadata"]["whole real"], float)
        assert isinstance(source["metadata"]["huge"], int)


def sized(size: int) -> dict[str, str]:
    return {"k": "é" * ((size - len('{"k":""}')) // 2) + "a" * (size % 2)}


def test_metadata_is_capped_at_8192_bytes_of_compact_json(api: Api, uid: str) -> None:
    fits = sized(8_192)
    assert len(json.dumps(fits, ensure_ascii=False, separators=(",", ":")).encode()) == 8_192
    assert api.add("Fits.", user_id=uid, metadata=fits)["metadata"] == fits
    over = {"content": "x", "user_id": uid, "metadata": {"k": fits["k"] + "a"}}
    refused(api.post(MEMORIES, over), 422, "invalid_request", "metadata")
    assert ok(api.get(MEMORIES, user_id=uid))["total"] == 1


@pytest.mark.parametrize(
    "value", [[], [1], "x", 5, True, {"a\x00": 1}, {"a": "\x00"}, {"a": {"b": ["\x00"]}}]
)
def test_metadata_that_is_no_clean_object_is_422(api: Api, uid: str, value: Any) -> None:
    body = {"content": "x", "user_id": uid, "metadata": value}
    refused(api.post(MEMORIES, body), 422, "invalid_request", "metadata")
    assert nothing_stored(api, uid)


def test_metadata_never_moves_a_memory_to_another_owner(api: Api, uid: str) -> None:
    """`user_id`, `project_id`, `id` inside metadata are echoed and mean nothing."""
    forged = {
        "user_id": f"bob-{uid}",
        "project_id": f"prj_{'1' * 32}",
        "id": "mem_x",
        "kind": "tool",
    }
    made = api.add("Alice likes tea.", user_id=uid, metadata=forged)
    assert (made["user_id"], made["kind"], made["metadata"]) == (uid, "note", forged)
    assert made["id"] != "mem_x"
    assert nothing_stored(api, f"bob-{uid}")
    assert api.search("tea", user_id=f"bob-{uid}") == []
    path = f"{MEMORIES}/{made['id']}"
    for field in ("metadata", "user_id", "id", "project_id"):
        body = {"content": "x", field: forged.get(field)}
        refused(api.patch(path, body), 422, "invalid_request", field)
    assert ok(api.get(path))["content"] == "Alice likes tea."


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("2026-01-15", "2026-01-15T00:00:00+00:00"),
        ("2026-01-15T10:20", "2026-01-15T10:20:00+00:00"),
        ("2026-01-15 10:20:30", "2026-01-15T10:20:30+00:00"),
        ("2026-01-15T10:20:30Z", "2026-01-15T10:20:30+00:00"),
        ("2026-01-01T00:30:00+09:00", "2025-12-31T15:30:00+00:00"),
        ("2026-01-15T10:20:30.25Z", "2026-01-15T10:20:30.250000+00:00"),
        ("2026-01-15T10:20:30.123456-11:30", "2026-01-15T21:50:30.123456+00:00"),
        ("0001-01-01", "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59+00:00"),
        ("2024-02-29", "2024-02-29T00:00:00+00:00"),
    ],
)
def test_timestamps_are_read_as_utc(api: Api, uid: str, text: str, stored: str) -> None:
    made = api.add("Dated.", user_id=uid, timestamp=text)
    assert made["timestamp"] == stored
    assert ok(api.get(MEMORIES, user_id=uid))["memories"][0]["timestamp"] == stored


@pytest.mark.parametrize(
    "text",
    "yesterday 2026-13-01 2026-02-30 2025-02-29 01/02/2026 1700000000 2026-01-15T25:00"
    " 2026-01-15T24:00 2026-01-15T10:00+99:99 2026-W03-1 2026-015 20260115 2026-1-5 0000-01-01"
    " 10000-01-01 2026-01-15T10 2026-01-15T10:20:30+0200 2026-01-15t10:20:30z"
    " ٢٠٢٦-01-15 0001-01-01T00:00+01:00 9999-12-31T23:59-01:00".split(),
)
def test_an_unreadable_timestamp_is_422_naming_it(api: Api, uid: str, text: str) -> None:
    body = {"content": "x", "user_id": uid, "timestamp": text}
    said = refused(api.post(MEMORIES, body), 422, "invalid_request", "timestamp")["message"]
    assert said == (
        f"timestamp '{text}' is not an ISO 8601 date or datetime"
        " (e.g. '2026-03-01' or '2026-03-01T14:30:00Z')"
    )
    assert nothing_stored(api, uid)


@pytest.mark.parametrize("value", ["", 1_700_000_000, True, [], {"at": "2026-01-01"}])
def test_a_timestamp_of_another_type_is_422(api: Api, uid: str, value: Any) -> None:
    body = {"content": "x", "user_id": uid, "timestamp": value}
    refused(api.post(MEMORIES, body), 422, "invalid_request", "timestamp")
    assert nothing_stored(api, uid)


@pytest.mark.parametrize("kind", ["tool", "Session", "", "x", 1, ["note"]])
def test_kind_is_note_or_session(api: Api, uid: str, kind: Any) -> None:
    body = {"content": "x", "user_id": uid, "kind": kind}
    refused(api.post(MEMORIES, body), 422, "invalid_request", "kind")
    assert nothing_stored(api, uid)
    assert api.add("x", user_id=uid, kind="session")["kind"] == "session"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("claude-code", "claude-code"),
        ("my tool/1.0 (x; y)", "my tool/1.0 (x; y)"),
        ("\u00a0padded\u00a0", "padded"),
        ("c" * 300, "c" * 100),
        ("outil préféré", "outil préféré"),
        ("a\x9bb", "ab"),
        ("", None),
    ],
)
def test_the_client_header_is_kept_as_a_label(
    api: Api, uid: str, sent: str, kept: str | None
) -> None:
    response = api.request(
        "POST",
        MEMORIES,
        json={"content": "x", "user_id": uid},
        headers={"X-Korely-Client": sent.encode()},
    )
    assert ok(response, 201)["client"] == kept


@pytest.mark.parametrize("name", ["userId", "text", "facts", "id", "created_at", "infer"])
def test_an_unknown_field_is_422_naming_it_and_the_accepted_ones(
    api: Api, uid: str, name: str
) -> None:
    body = {"content": "x", "user_id": uid, name: "y"}
    said = refused(api.post(MEMORIES, body), 422, "invalid_request", name, "content", "timestamp")
    assert said["detail"][0] == {
        "type": "extra_forbidden",
        "loc": ["body", name],
        "msg": said["detail"][0]["msg"],
    }
    assert nothing_stored(api, uid)


def test_of_many_or_long_unknown_fields_a_refusal_tells_a_part(api: Api, uid: str) -> None:
    many = {f"field{number:05}": 1 for number in range(20_000)}
    body = {"content": "x", "user_id": uid}
    said = refused(api.post(MEMORIES, {**body, **many}), 422, "invalid_request")
    assert [entry["loc"][1] for entry in said["detail"]] == sorted(many)[:100]
    said = refused(api.post(MEMORIES, {**body, "n" * 100_000: 1}), 422, "invalid_request")
    assert said["detail"][0]["loc"] == ["body", "n" * 255]
    assert len(said["message"]) < 1_000
    assert nothing_stored(api, uid)


@pytest.mark.parametrize("value", [5, ["x"], {"text": "x"}, True, 1.5])
def test_content_of_another_type_is_422(api: Api, uid: str, value: Any) -> None:
    body = {"content": value, "user_id": uid}
    refused(api.post(MEMORIES, body), 422, "invalid_request", "content")
    assert nothing_stored(api, uid)


def test_every_fault_is_told_and_the_message_names_the_first(api: Api) -> None:
    body = {"content": "", "user_id": "", "metadata": [], "extra": 1}
    said = refused(api.post(MEMORIES, body), 422, "invalid_request")
    places = [entry["loc"][1] for entry in said["detail"]]
    assert set(places) == {"extra", "content", "user_id", "metadata"}
    assert places[0] in said["message"]
