"""Any text is kept as it is, whatever it says; what cannot be text is refused, never a 500."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from tests.api.nasty import NASTY, STRINGS
from tests.api_client import Api, ok, refused, unique

MEMORIES = "/v1/memories"


def tag(text: str) -> dict[str, Any]:
    """The text as a metadata value and as a key."""
    return {"k": text[:300], text[:300]: 1}


@pytest.fixture(scope="module")
def shelf(api: Api) -> tuple[str, dict[str, list[dict[str, Any]]]]:
    """Every nasty string as a memory of one end user, in metadata too."""
    uid = unique("shelf")
    made = {
        kind: [api.add(text, user_id=uid, metadata=tag(text)) for text in texts]
        for kind, texts in NASTY.items()
    }
    return uid, made


@pytest.mark.parametrize("kind", NASTY)
def test_a_nasty_text_comes_back_byte_for_byte(
    api: Api, shelf: tuple[str, dict[str, list[dict[str, Any]]]], kind: str
) -> None:
    for text, made in zip(NASTY[kind], shelf[1][kind], strict=True):
        assert made["content"] == text.strip()
        assert made["metadata"] == tag(text)
        got = ok(api.get(f"{MEMORIES}/{made['id']}"))
        assert got["content"].encode() == text.strip().encode()
        assert got["metadata"] == tag(text)


@pytest.mark.parametrize("kind", NASTY)
def test_a_nasty_text_is_a_question_like_any_other(
    api: Api, shelf: tuple[str, dict[str, list[dict[str, Any]]]], kind: str
) -> None:
    uid = shelf[0]
    for text, made in list(zip(NASTY[kind], shelf[1][kind], strict=True))[:2]:
        if len(text) > 2_000:
            body = {"query": text, "user_id": uid}
            refused(api.post(f"{MEMORIES}/search", body), 422, "invalid_request", "query")
            continue
        hits = api.search(text, user_id=uid, metadata={"k": text[:300]}, full_text=True)
        assert [hit["id"] for hit in hits] == [made["id"]]
        assert hits[0]["content"] == text.strip()
    text = NASTY[kind][0][:200]
    ok(api.get("/v1/facts", user_id=uid, entity=text))
    ok(api.get("/v1/context", query=text, user_id=uid))


def test_no_nasty_text_breaks_its_extraction(
    api: Api, shelf: tuple[str, dict[str, list[dict[str, Any]]]]
) -> None:
    uid = shelf[0]
    api.settle(uid)
    assert ok(api.get("/v1/events", user_id=uid, status="error"))["events"] == []
    seen = {one["content"] for one in ok(api.get(MEMORIES, user_id=uid, limit=200))["memories"]}
    assert seen == {text.strip() for _, text in STRINGS}


@pytest.mark.parametrize(
    "kind",
    ["emoji", "direction", "invisible", "controls", "sql", "formats", "null-like", "path-like"],
)
def test_a_nasty_user_id_is_kept_exactly_or_refused_as_the_rules_say(api: Api, kind: str) -> None:
    for user in NASTY[kind]:
        controls = any(ord(c) < 32 or 127 <= ord(c) < 160 for c in user)
        body = {"content": "Under a nasty name.", "user_id": user}
        response = api.post(MEMORIES, body)
        if controls or "/" in user or len(user) > 255:
            refused(response, 422, "invalid_request", "user_id")
            continue
        assert ok(response, 201)["user_id"] == user
        page = ok(api.get(MEMORIES, user_id=user))
        assert {one["user_id"] for one in page["memories"]} == {user}


def test_composed_and_decomposed_ids_are_two_end_users(api: Api) -> None:
    """Ids are kept exactly: no normalisation, no case folding."""
    name = unique("café")
    forms = {unicodedata.normalize(form, name) for form in ("NFC", "NFD")} | {name.upper()}
    for form in forms:
        api.add(f"Of {form}", user_id=form)
    for form in forms:
        page = ok(api.get(MEMORIES, user_id=form))
        assert [one["user_id"] for one in page["memories"]] == [form]


def test_a_subject_is_one_in_any_case_form_and_spacing_and_near_names_are_others(
    api: Api, uid: str
) -> None:
    api.told("José Álvarez lives in Lima.", uid, timestamp="2026-01-01")
    api.told("Jose Alvarez lives in Quito.", uid, timestamp="2026-02-01")
    assert {fact["object"] for fact in api.facts(user_id=uid)} == {"Lima", "Quito"}
    decomposed = unicodedata.normalize("NFD", "José Álvarez")
    for asked in ("JOSÉ ÁLVAREZ", decomposed, "  josé   álvarez "):
        for name in ("subject", "entity"):
            found = api.facts(user_id=uid, **{name: asked})
            assert [fact["object"] for fact in found] == ["Lima"]
    assert api.facts(user_id=uid, subject="J. Álvarez") == []


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("content", {"content": "a\x00b"}),
        ("user_id", {"content": "x", "user_id": "a\x00"}),
        ("agent_id", {"content": "x", "agent_id": "\x00"}),
        ("run_id", {"content": "x", "run_id": "a\x00b"}),
        ("metadata", {"content": "x", "metadata": {"a\x00": 1}}),
        ("metadata", {"content": "x", "metadata": {"a": ["\x00"]}}),
    ],
)
def test_a_nul_is_refused_wherever_it_stands(api: Api, field: str, body: dict[str, Any]) -> None:
    before = ok(api.get(MEMORIES))["total"]
    refused(api.post(MEMORIES, body), 422, "invalid_request", field)
    assert ok(api.get(MEMORIES))["total"] == before


@pytest.mark.parametrize(
    "raw",
    [
        b'{"content": "\\ud800 alone"}',
        b'{"content": "x\\udfff"}',
        b'{"content": "x", "metadata": {"\\ud83d": 1}}',
        b'{"content": "x", "user_id": "\\udc00\\ud800"}',
        b'{"content": "\xff\xfe"}',
        b'{"content": "\xed\xa0\x80"}',
        b'{"content": "\xc0\xaf"}',
        '{"content": "x"}'.encode("utf-16"),
    ],
)
def test_what_is_no_unicode_text_is_422(api: Api, raw: bytes) -> None:
    before = ok(api.get(MEMORIES))["total"]
    headers = {"Content-Type": "application/json"}
    response = api.request("POST", MEMORIES, content=raw, headers=headers)
    refused(response, 422, "invalid_request")
    assert ok(api.get(MEMORIES))["total"] == before


def test_an_escaped_pair_is_one_character(api: Api, uid: str) -> None:
    raw = f'{{"content": "\\ud83d\\ude42 \\u00e9", "user_id": "{uid}"}}'
    headers = {"Content-Type": "application/json"}
    made = ok(api.request("POST", MEMORIES, content=raw, headers=headers), 201)
    assert made["content"] == "🙂 é"


def test_lengths_are_counted_in_code_points(api: Api, uid: str) -> None:
    family = "👩‍👩‍👧‍👦"
    assert len(family) == 7
    body = {"content": family * 2_285 + "12345", "user_id": uid}
    assert len(body["content"]) == 16_000
    ok(api.post(MEMORIES, body), 201)
    body["content"] += "6"
    refused(api.post(MEMORIES, body), 422, "invalid_request", "content")
    ok(api.post(f"{MEMORIES}/search", {"query": "🙂" * 2_000, "user_id": uid}))
    body = {"query": "🙂" * 2_001, "user_id": uid}
    refused(api.post(f"{MEMORIES}/search", body), 422, "invalid_request", "query")


@pytest.mark.parametrize("text", ["!!!", "🙂", "……", "\u200b\u200b", "-", "?", "١٢٣"])
def test_texts_without_a_word_are_stored_and_found(api: Api, uid: str, text: str) -> None:
    made = api.told(text, uid)
    assert (made["content"], made["status"]) == (text, "ready")
    assert [hit["id"] for hit in api.search(text, user_id=uid)] == [made["id"]]
    assert api.context(text, user_id=uid)["sources"] == [made["id"]]
