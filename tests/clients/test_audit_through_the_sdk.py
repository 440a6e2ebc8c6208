"""The trail read by the official client, while it grows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from korely_memory import Korely

from tests.api_client import Api, Box, unique
from tests.concurrency.at_once import clients

Connect = Callable[..., Korely]


def test_a_page_and_its_events_read_as_the_package_documents(fresh: Box, connect: Connect) -> None:
    client = connect(fresh.api.key)
    memory = client.add("I live in Rome.", user_id="anna")
    client.search("Rome", user_id="anna")
    page = client.audit(user_id="anna", action="read")
    (event,) = page
    assert (page.total, event.actor, event.result, event.ip) == (1, "rest", "ok", "127.0.0.1")
    assert event.read is not None
    assert event.read.memories == [memory.id]
    assert [e.target_id for e in client.audit(action="write")] == [memory.id]
    assert client.audit(since=datetime.now(UTC) + timedelta(minutes=1)).total == 0
    assert client.audit(until=date(2020, 1, 1)).total == 0
    assert client.audit(action="unheard_of").total == 0


def test_a_walk_during_writes_is_the_trail_as_it_stood_when_it_began(
    fresh: Box, connect: Connect
) -> None:
    """Eight writers; each walk finds every event up to its newest, once, and a later one agrees."""
    stop = threading.Event()

    def write(api: Api) -> None:
        while not stop.is_set():
            api.get("/v1/memories", user_id=unique("walk"), limit=1)  # each event by a name

    writers = [threading.Thread(target=write, args=(api,)) for api in clients(fresh.api, 8)]
    for writer in writers:
        writer.start()
    client, walks = connect(fresh.api.key), []
    try:
        while len(walks) < 3:
            events = list(client.iter_audit(page_size=20 + 17 * len(walks)))
            if len(events) > 50:
                walks.append(events)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    final = list(client.iter_audit())
    assert len(final) > len(walks[-1]) > len(walks[0])
    for events in walks:
        keys = [(event.ts, event.user_id) for event in events]
        assert len(set(keys)) == len(keys)
        assert [ts for ts, _ in keys] == sorted((ts for ts, _ in keys), reverse=True)
        expected = [(event.ts, event.user_id) for event in final if event.ts <= events[0].ts]
        assert keys == expected


def test_a_walk_goes_on_from_where_it_stopped(fresh: Box, connect: Connect) -> None:
    client = connect(fresh.api.key)
    for n in range(6):
        client.get_all(user_id=f"user-{n}")
    until = datetime.now(UTC)
    whole = [event.ts for event in client.iter_audit(until=until)]
    client.get_all(user_id="later")
    again = [event.ts for event in client.iter_audit(until=until, page_size=2, offset=3)]
    assert again == whole[3:]
