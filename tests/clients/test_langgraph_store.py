"""LangGraph's long-term memory store, and the helpers beside it, by the official package."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from korely_memory import AsyncKorely, Korely, NotFoundError
from korely_memory.integrations.langgraph import (
    KorelyStore,
    create_korely_tools,
    korely_context,
)
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp

VALUE: dict[str, Any] = {
    "content": "Maria likes jazz",
    "score": 4.5,
    "n": 5,
    "flag": True,
    "tags": ["music", "Größe", "👩‍🚀"],
    "nested": {"list": [1, 2.5, {"none": None, "empty": {}}], "text": " kept "},
}


@pytest.fixture
def store(korely: Korely) -> KorelyStore:
    return KorelyStore(korely)


def test_a_nested_value_comes_back_exactly(store: KorelyStore, uid: str) -> None:
    place = ("memories", uid)
    store.put(place, "k1", VALUE)
    item = store.get(place, "k1")
    assert item is not None and item.value == VALUE
    assert (item.key, item.namespace) == ("k1", place)
    assert item.created_at == item.updated_at
    assert store.get(place, "k2") is None
    assert store.get(("memories", f"{uid}-other"), "k1") is None


def test_a_key_put_again_is_replaced(store: KorelyStore, korely: Korely, uid: str) -> None:
    place = ("memories", uid)
    store.put(place, "k1", VALUE)
    before = store.get(place, "k1")
    store.put(place, "k1", {**VALUE, "content": "Maria likes blues"})
    after = store.get(place, "k1")
    assert before is not None and after is not None
    assert after.value["content"] == "Maria likes blues"
    assert after.created_at == before.created_at and after.updated_at > before.updated_at
    assert [item.key for item in store.search(place)] == ["k1"]
    assert korely.get_all(user_id=uid).total == 1


def test_a_search_is_ranked_and_filters_plain_fields(store: KorelyStore, uid: str) -> None:
    place = ("memories", uid)
    store.put(place, "jazz", VALUE)
    store.put(place, "rock", {"content": "Maria likes rock", "flag": False, "n": 50})
    ranked = store.search(place, query="Maria likes rock")
    assert [item.key for item in ranked] == ["rock", "jazz"]
    assert (ranked[0].score or 0) > (ranked[1].score or 0)
    found = [
        [item.key for item in store.search(place, query="music", filter=wanted)]
        for wanted in ({"flag": True}, {"flag": False}, {"n": 5}, {"score": 4.5}, {"n": 6})
    ]
    assert found == [["jazz"], ["rock"], ["jazz"], ["jazz"], []]


def test_a_listing_is_newest_first_with_every_operator(store: KorelyStore, uid: str) -> None:
    place = ("memories", uid)
    for number in range(5):
        store.put(place, f"k{number}", {"content": f"Note {number}", "n": number, "deep": {"a": 1}})
    assert [item.key for item in store.search(place)] == ["k4", "k3", "k2", "k1", "k0"]
    assert [item.key for item in store.search(place, limit=2, offset=1)] == ["k3", "k2"]
    chosen = store.search(place, filter={"n": {"$gte": 1, "$lt": 3}, "deep": {"a": 1}})
    assert [item.key for item in chosen] == ["k2", "k1"]


def test_a_deleted_key_is_in_no_read(store: KorelyStore, korely: Korely, uid: str) -> None:
    place = ("memories", uid)
    store.put(place, "k1", VALUE)
    store.put(place, "k2", {"content": "Maria likes rock"})
    (memory,) = [one for one in korely.get_all(user_id=uid) if "jazz" in str(one.content)]
    store.delete(place, "k1")
    assert store.get(place, "k1") is None
    assert [item.key for item in store.search(place, query="jazz")] == ["k2"]
    store.delete(place, "k1")  # nothing is there any more
    with pytest.raises(NotFoundError):
        korely.delete(str(memory.id))
    assert korely.get_all(user_id=uid).total == 1


def test_operations_run_in_their_order_and_off_the_event_loop(
    store: KorelyStore, aio: AsyncKorely, uid: str
) -> None:
    place = ("memories", uid)
    done = store.batch(
        [
            PutOp(place, "k1", {"content": "One."}),
            GetOp(place, "k1"),
            PutOp(place, "k1", None),
            SearchOp(place),
        ]
    )
    assert done[0] is None and done[1].value == {"content": "One."} and done[3] == []

    async def write_and_read() -> Any:
        away = KorelyStore(aio)
        await away.aput(place, "k2", VALUE)
        return await away.aget(place, "k2")

    assert asyncio.run(write_and_read()).value == VALUE


def test_a_value_as_large_as_the_metadata_may_be(store: KorelyStore, uid: str) -> None:
    place = ("memories", uid)
    value = {"content": "Large.", "blob": "é" * 3_900}
    store.put(place, "large", value)
    item = store.get(place, "large")
    assert item is not None and item.value == value


class State(TypedDict):
    answer: str


def test_a_graph_writes_and_reads_through_the_store(store: KorelyStore, uid: str) -> None:
    place = ("memories", uid)

    def note(state: State, *, store: BaseStore) -> State:
        store.put(place, "city", {"content": "The user lives in Rome"})
        return state

    def recall(state: State, *, store: BaseStore) -> State:
        (found,) = store.search(place, query="where does the user live")
        return {"answer": str(found.value["content"])}

    graph = StateGraph(State)
    graph.add_node("note", note)
    graph.add_node("recall", recall)
    graph.add_edge(START, "note")
    graph.add_edge("note", "recall")
    graph.add_edge("recall", END)
    done = graph.compile(store=store).invoke({"answer": ""})
    assert done["answer"] == "The user lives in Rome"


def test_a_models_tools_save_and_find(
    korely: Korely, settle: Callable[[str], None], uid: str
) -> None:
    find, save = create_korely_tools(korely, uid)
    nothing = "Nothing in long-term memory matches this query."
    assert find.invoke({"query": "where does the user live"}) == nothing
    assert korely_context(korely, uid, "anything", include_date=False) == ""
    assert save.invoke({"content": "I live in Rome."}).startswith("Saved to long-term memory (mem_")
    settle(uid)
    assert "lives_in Rome" in find.invoke({"query": "where does the user live"})
    assert "lives_in Rome" in korely_context(korely, uid, "Rome")
    # A tool's own failure is its answer.
    assert "unavailable" in find.invoke({"query": "x" * 2_001})
