"""The official SDK's asyncio client: the same calls, many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from korely_memory import (
    APIError,
    AsyncKorely,
    AuthenticationError,
    NamespaceForbiddenError,
    NotFoundError,
    StaleWriteError,
)

from korely.embedded.stack import Stack
from tests.api_client import Box, unique


def test_the_whole_life_of_a_memory(
    aio: AsyncKorely, settle: Callable[[str], None], uid: str
) -> None:
    async def write() -> str:
        assert (await aio.ping()).ok
        made = await aio.add([{"role": "user", "content": "I live in Rome."}], user_id=uid)
        assert made.content == "user: I live in Rome."
        return str(made.id)

    memory = asyncio.run(write())
    settle(uid)

    async def read() -> None:
        assert (await aio.get(memory)).status == "ready"
        assert [m.id for m in await aio.get_all(user_id=uid)] == [memory]
        assert [h.id for h in await aio.search("Rome", user_id=uid, limit=5)] == [memory]
        facts = await aio.get_facts(user_id=uid, predicate="lives_in")
        assert [f.object for f in facts] == ["Rome"]
        context = await aio.get_context("where does the user live?", user_id=uid)
        assert "lives_in Rome" in context.context
        assert (await aio.events(user_id=uid)).events[0].memory_id == memory
        changed = await aio.update(memory, content="I moved.")
        with pytest.raises(StaleWriteError):
            await aio.update(memory, content="Late.", expected_updated_at="2020-01-01")
        assert (await aio.get(memory)).content == changed.content == "I moved."
        assert (await aio.delete(memory)).status == "forgotten"
        assert (await aio.history(memory)).events[-1].event == "deleted"
        with pytest.raises(NotFoundError):
            await aio.get(memory)

    asyncio.run(read())


def test_concurrent_writes_of_several_end_users_stay_apart(aio: AsyncKorely) -> None:
    users = [unique("many") for _ in range(4)]

    async def run() -> None:
        await asyncio.gather(
            *(aio.add(f"Note {n} of {user}", user_id=user) for user in users for n in range(3))
        )
        pages = await asyncio.gather(*(aio.get_all(user_id=user) for user in users))
        for user, page in zip(users, pages, strict=True):
            assert page.total == 3
            assert {m.user_id for m in page} == {user}

    asyncio.run(run())


def test_its_errors_are_the_same_classes(aio: AsyncKorely, box: Box, stack: Stack) -> None:
    reader = AsyncKorely(api_key=box.key("memories:read").key, base_url=stack.base_url)
    nobody = AsyncKorely(api_key="kor_self_" + "0" * 32, base_url=stack.base_url)

    async def run() -> None:
        with pytest.raises(AuthenticationError):
            await nobody.ping()
        with pytest.raises(NamespaceForbiddenError):
            await reader.add("No.")
        with pytest.raises(APIError, match="limit"):
            await aio.search("x", limit=0)

    asyncio.run(run())
