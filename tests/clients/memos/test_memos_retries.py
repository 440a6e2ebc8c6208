"""The official clients send a failed add three times at once; the server stores it once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box, ok
from tests.clients.memos.client import Memos, Raised
from tests.clients.memos.proxy import Proxy, proxying

LINES = [{"role": "user", "content": "I like jazz."}]


@pytest.fixture(scope="module")
def proxy(stack: Stack) -> Iterator[Proxy]:
    with proxying(stack.base_url) as running:
        yield running


@pytest.fixture
def through(memos: Memos, proxy: Proxy, fresh: Box) -> Memos:
    """Each client behind the proxy, with a key of a project of its own."""
    proxy.bodies.clear()
    return memos.connect(proxy.url, str(fresh.api.key))


@pytest.fixture(params=["sync", "async"])
def waits(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "sync")


@pytest.fixture(
    params=["lost lost", "dropped garbled", "refused lost", "lost refused"],
    ids=lambda words: words.replace(" ", "-"),
)
def failing(request: pytest.FixtureRequest, proxy: Proxy) -> Proxy:
    """The proxy, which fails the next two requests."""
    proxy.fates = list(request.param.split())
    return proxy


def test_an_add_whose_answers_are_lost_is_stored_once(
    through: Memos, failing: Proxy, fresh: Box, uid: str, waits: bool
) -> None:
    added = through.add_message(LINES, uid, "c1", async_mode=not waits)["data"]
    assert added["success"] is True
    assert added["status"] == ("completed" if waits else "running")
    assert (len(failing.bodies), len(set(failing.bodies))) == (3, 1)
    fresh.api.settle(uid)
    assert ok(fresh.api.get("/v1/memories"))["total"] == 1
    (message,) = through.get_message(uid, "c1")["data"]["message_detail_list"]
    assert message["content"] == "I like jazz."
    (fact,) = fresh.api.facts(user_id=uid)
    assert (fact["predicate"], fact["object"]) == ("likes", "jazz")
    written = ok(fresh.api.get("/v1/audit", action="write"))["events"]
    assert len([one for one in written if one["result"] == "ok"]) == 1


def test_an_add_whose_answers_are_all_lost_is_an_exception_and_stored_once(
    through: Memos, proxy: Proxy, fresh: Box, uid: str
) -> None:
    proxy.fates = ["lost", "lost", "lost"]
    with pytest.raises(Raised) as raised:
        through.add_message(LINES, uid, "c1")
    assert raised.value.status == 502
    assert ok(fresh.api.get("/v1/memories"))["total"] == 1


def test_an_add_that_never_arrived_is_stored_by_nobody(
    through: Memos, proxy: Proxy, fresh: Box, uid: str
) -> None:
    proxy.fates = ["refused", "refused", "refused"]
    with pytest.raises(Raised) as raised:
        through.add_message(LINES, uid, "c1")
    assert raised.value.status == 503
    assert ok(fresh.api.get("/v1/memories"))["total"] == 0
