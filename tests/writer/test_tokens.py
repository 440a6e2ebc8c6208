"""The day's tokens, counted in the database."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from facts.vocabulary import BUILT_IN
from korely.embedded.stack import Stack


@pytest.fixture
def used(stack: Stack) -> int:
    from billing import services as billing

    return billing.tokens_used()


def test_calls_at_the_same_time_never_pass_the_limit_together(used: int) -> None:
    from django.db import connection

    from billing import services as billing

    def take(number: int) -> bool:
        try:
            return billing.take_tokens(tokens=7, limit=used + 100) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        taken = list(pool.map(take, range(60)))
    assert sum(taken) == 14  # 98 of 100
    assert billing.tokens_used() == used + 98


def test_what_was_taken_is_settled_at_what_was_used_by_many_at_once(used: int) -> None:
    from django.db import connection

    from billing import services as billing

    def call(number: int) -> None:
        try:
            of = billing.take_tokens(tokens=1000, limit=None)
            assert of == datetime.now(UTC).date()
            billing.settle_tokens(of=of, taken=1000, used=number)
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(call, range(40)))
    assert billing.tokens_used() == used + sum(range(40))


def test_more_than_a_whole_day_is_never_taken(used: int) -> None:
    from billing import services as billing

    assert billing.take_tokens(tokens=used + 101, limit=used + 100) is None
    assert billing.tokens_used() == used


def test_without_a_setting_extraction_is_local_and_connects_to_nothing(stack: Stack) -> None:
    from django.conf import settings

    from memories import writers
    from memories.models import Memory

    assert settings.KORELY_WRITERS == {}
    opened: list[Any] = []
    watching = True

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if watching and event in ("socket.connect", "socket.getaddrinfo"):
            opened.append(arguments)

    sys.addaudithook(hook)
    try:
        for region in (None, "eu", "global"):
            assert writers.processing_region(region) is None
            memory = Memory(content="I live in Rome.", user_id="ana")
            found = writers.read_memory(
                memory, region=region, names=(), said_at=datetime.now(UTC), vocabulary=BUILT_IN
            )
            assert [one.object for one in found] == ["Rome"]
    finally:
        watching = False
    assert opened == []
