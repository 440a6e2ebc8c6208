"""The playground over HTTP: the API's calls, their answers and their price."""

from __future__ import annotations

import html
import re
import subprocess
import uuid

import pytest

from tests.api_client import ok, unique, wait_for
from tests.concurrency.at_once import at_once
from tests.dashboard.playground.ground import Ground, memory_in
from tests.dashboard.visitor import settled, words

NASTY = "<img src=x onerror=alert(1)></script>{{7*7}} \u202eevil"


def test_a_memory_is_added_processed_and_shown_with_its_facts(ground: Ground, uid: str) -> None:
    before = ground.used()
    page = ground.send("add", content="I live in Rome.", user_id=uid, timestamp="2026-03-01")
    assert "processing" in words(page)
    first = memory_in(page)
    shown = ground.outcome(first)
    assert "hx-get" not in shown
    assert "Rome" in shown
    assert "<q" in shown
    second = ground.added("I moved to Milan.", user_id=uid, timestamp="2026-05-01")
    ended = ground.outcome(second)
    assert re.search(r"lives_in.*Milan.*lives_in.*Rome", words_of(ended)), words_of(ended)
    memory = ok(ground.api.get(f"/v1/memories/mem_{uuid.UUID(second).hex}"))
    assert (memory["content"], memory["user_id"]) == ("I moved to Milan.", uid)
    assert memory["timestamp"] == "2026-05-01T00:00:00+00:00"
    assert memory["client"] == "playground"
    after = ground.used()
    assert after["writes"] - before["writes"] == 2
    assert after["queries"] - before["queries"] == 1  # this test's own look
    assert ("dashboard", "write", "ok", None, True) in ground.events()
    assert ("dashboard", "read", "ok", "get", True) in ground.events()


def words_of(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_messages_become_the_text_that_clients_make_of_them(ground: Ground, uid: str) -> None:
    said = '[{"role": "user", "content": "I like tea. "}, {"role": "assistant", "content": "Ok"}]'
    made = ground.added(said, user_id=uid, written_as="messages")
    memory = ok(ground.api.get(f"/v1/memories/mem_{uuid.UUID(made).hex}"))
    assert memory["content"] == "user: I like tea.\nassistant: Ok"
    before = ground.used()
    for broken in ("no json", "{}", "[]", '["text"]', '[{"role": "user"}]', "[" * 50_000):
        refused = ground.send("add", content=broken, user_id=uid, written_as="messages")
        assert refused.status_code == 422, broken
        assert 'aria-invalid="true"' in refused.text
    assert ground.used() == before


def test_the_same_form_sent_again_adds_nothing_more(ground: Ground, uid: str) -> None:
    before, once = ground.used()["writes"], uuid.uuid4().hex
    fields = {"content": "I have a dog.", "user_id": uid, "once": once}
    made = at_once([lambda: memory_in(ground.send("add", **fields))] * 3)
    assert len(set(made)) == 1
    assert ground.used()["writes"] == before + 1
    other = memory_in(ground.send("add", **{**fields, "content": "I have a cat."}))
    assert other not in made
    assert ground.used()["writes"] == before + 2


def test_search_and_context_are_what_the_api_answers_and_cost_a_query_each(
    ground: Ground, uid: str
) -> None:
    for text in ("I live in Rome.", "My sister is Ana.", "I prefer trains to planes."):
        ground.api.told(text, uid)
    before = ground.used()
    asked = {"query": "Where do they live?", "user_id": uid}
    page = ground.send("search", **asked, kinds="memories,facts", limit="4")
    assert ground.used()["queries"] == before["queries"] + 1
    hits = ground.api.search(**asked, types=["memories", "facts"], limit=4)
    table = re.findall(r'number">([\d.]+)</td>.*?<code>(\w+)</code>', page.text, re.S)
    assert table == [(f"{hit['score']:.3f}", hit["id"]) for hit in hits]
    text = words(page)
    assert all(" ".join(hit["snippet"].split()) in text for hit in hits)
    before = ground.used()
    shown = ground.send("context", **asked, token_budget="120")
    assert ground.used()["queries"] == before["queries"] + 1
    block = ground.api.context(**asked, token_budget=120)
    assert f">{html.escape(block['context'])}</pre>" in shown.text
    assert f"{block['tokens']} tokens" in words(shown)
    calls = [event[3] for event in ground.events() if event[0] == "dashboard"]
    assert {"search", "context"} <= set(calls)
    past = ground.send("context", **asked, as_of="2001-01-01")
    assert "Nothing is remembered" in words(past)


@pytest.mark.parametrize(
    ("panel", "fields", "field", "said"),
    [
        ("add", {"content": "  "}, "content", "must not be empty"),
        ("add", {"content": "x" * 16_001}, "content", "at most 16,000 characters"),
        ("add", {"content": "x", "timestamp": "soon"}, "timestamp", "is not an ISO 8601"),
        ("add", {"content": "x", "user_id": "a/b"}, "user_id", "must not contain"),
        ("search", {"query": ""}, "query", "must not be empty"),
        ("search", {"query": "x", "limit": "51"}, "limit", "from 1 to 50"),
        ("search", {"query": "x", "limit": "many"}, "limit", "must be an integer"),
        ("context", {"query": "x", "token_budget": "10"}, "token_budget", "from 50 to 8000"),
        ("context", {"query": "x", "as_of": "2026-13-01"}, "as_of", "is not an ISO 8601"),
    ],
)
def test_what_the_api_refuses_is_refused_beside_its_field_and_what_was_typed_stays(
    ground: Ground, panel: str, fields: dict[str, str], field: str, said: str
) -> None:
    before = ground.used(), ground.events()
    page = ground.send(panel, **fields, agent_id="bot-7")
    assert page.status_code == 422
    wrong = re.search(rf'<[^<>]* id="{panel}-{field}"[^<>]*>', page.text)
    assert wrong, page.text
    assert 'aria-invalid="true"' in wrong.group(0)
    assert said in words(page)
    assert page.text.count('value="bot-7"') == 3  # in its own panel, and carried to the others
    assert (ground.used(), ground.events()) == before


def test_htmx_gets_the_panel_alone_and_a_refusal_as_an_answer(ground: Ground) -> None:
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', ground.owner.get(ground.page).text)
    assert token
    fields = {"query": " ", "csrfmiddlewaretoken": token.group(1)}
    path, headers = f"{ground.page}search/", {"HX-Request": "true"}
    page = ground.owner.http.post(path, data=fields, headers=headers)
    assert page.status_code == 200
    assert "must not be empty" in page.text
    assert "<html" not in page.text
    assert "context-panel" not in page.text


def test_curl_runs_as_it_is_shown(ground: Ground, uid: str) -> None:
    text = f'It\'s "quoted", $HOME `id` \\n\n\n@second !line {NASTY} 🙂 {uid}'
    page = ground.send("add", content=text, user_id=uid)
    assert ran(ground, page.text, "add")["content"] == text
    assert "\u202e" not in code(page.text, "add-curl")
    ground.api.settle(uid)
    question = f"@what's $HOME\n{NASTY}"
    found = ground.send("search", query=question, user_id=uid, kinds="memories", limit="3")
    hits = ran(ground, found.text, "search")["results"]
    assert [hit["content" if "content" in hit else "snippet"] for hit in hits] == [text[:280]] * 2
    block = ground.send("context", query=question, user_id=uid, token_budget="200")
    expected = ground.api.context(question, user_id=uid, token_budget=200)
    assert ran(ground, block.text, "context") == expected
    python = code(found.text, "search-python")
    assert compile(python, "snippet", "exec")
    assert "\u202e" not in python


def code(page: str, name: str) -> str:
    found = re.search(rf'<pre id="{name}"[^>]*>(.*?)</pre>', page, re.S)
    assert found, name
    return html.unescape(found.group(1))


def ran(ground: Ground, page: str, name: str) -> dict[str, object]:
    """What a page's curl call answers, run by a shell of its own."""
    import json

    call = code(page, f"{name}-curl")
    assert ground.api.key
    env = {"KORELY_API_KEY": ground.api.key, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", f"{call} --silent --show-error --noproxy '*'"],
        env=env, capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    answer: dict[str, object] = json.loads(done.stdout)
    assert "code" not in answer, answer
    return answer


def test_hostile_text_shows_as_text(ground: Ground) -> None:
    name = f"{unique('u')}<script>{{{{7*7}}}}"
    name = name.replace("/", "")
    page = ground.send("add", content=f"{NASTY} I live in Rome.", user_id=name)
    ground.api.settle(name)
    pages = [
        page.text,
        ground.outcome(memory_in(page)),
        ground.send("search", query=NASTY, user_id=name).text,
        ground.send("context", query=NASTY, user_id=name).text,
    ]
    for text in pages:
        assert "<img" not in text
        assert "onerror=alert(1)>" not in text
        assert "<script>{{" not in text
    assert all("&lt;img src=x" in text for text in (pages[0], pages[2], pages[3]))


def test_nothing_typed_reaches_an_address_or_a_log(ground: Ground, uid: str) -> None:
    secret = unique("secret")
    memory_id = ground.added(f"The word is {secret}.", user_id=uid)
    ground.outcome(memory_id)
    ground.send("search", query=secret, user_id=uid)
    ground.send("context", query=secret, user_id=uid)
    for panel in ("add", "search", "context"):
        page = ground.owner.get(f"{ground.page}{panel}/")
        assert (page.status_code, page.headers["location"]) == (302, ground.page)
    logs = "".join(file.read_text() for file in (ground.house.data_dir / "logs").iterdir())
    assert secret not in logs
    assert uid not in logs


def test_what_is_left_says_what_to_do_next(ground: Ground, uid: str) -> None:
    import psycopg

    other = Ground(ground.house)
    other.added("I live in Rome.", user_id=uid)
    wait_for("its facts", lambda: any("fact_write" in event for event in other.events()))
    with psycopg.connect(other.house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE billing_usage SET writes = 1000000000, queries = 1000000000"
            " WHERE organisation_id = %s",
            [other.organisation],
        )
    before = other.used(), other.events()
    for panel, fields in (
        ("add", {"content": "More"}),
        ("search", {"query": "More"}),
        ("context", {"query": "More"}),
    ):
        page = other.send(panel, **fields, user_id=uid)
        assert page.status_code == 429
        assert "quota reached" in words(page)
        assert "usage" in words(page) or "reset" in words(page)
        assert "More" in page.text
    assert (other.used(), other.events()) == before


def test_another_organisation_finds_no_playground_and_no_memory(ground: Ground, uid: str) -> None:
    stranger = settled(ground.house, unique("Stranger"))
    made = ground.added("I live in Rome.", user_id=uid)
    before = ground.used()
    for path in ("", f"memories/{made}/"):
        assert stranger.get(f"{ground.page}{path}").status_code == 404
    for panel in ("add", "search", "context"):
        sent = stranger.post(
            f"{ground.page}{panel}/", {"content": "x", "query": "x"}, page="/account/email/"
        )
        assert sent.status_code == 404
    other = Ground(ground.house)
    assert other.owner.get(f"{other.page}memories/{made}/").status_code == 404
    assert ground.used() == before


def test_a_memory_that_is_gone_ends_the_asking(ground: Ground, uid: str) -> None:
    made = ground.added("I live in Rome.", user_id=uid)
    ok(ground.api.delete(f"/v1/memories/mem_{uuid.UUID(made).hex}"))
    path = f"{ground.page}memories/{made}/"
    assert ground.owner.get(path).status_code == 404
    part = ground.owner.get(path, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "no longer there" in part.text
    assert "hx-get" not in part.text
