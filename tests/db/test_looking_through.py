"""What people look through: names in order from either side, counts as the API has them, and few
statements a page.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.dashboard.statements import statements_of
from tests.api_client import Api, Box, ok, unique, wait_for

MOST_STATEMENTS = 10


@pytest.fixture(scope="module")
def project(box: Box) -> uuid.UUID:
    return uuid.UUID(box.project["id"].removeprefix("prj_"))


def scoped(project: uuid.UUID, read: Callable[..., Any], **wanted: Any) -> Any:
    from korely.kernel.caller import Caller
    from korely.kernel.tenancy import project_scope

    users = wanted.pop("users", None)
    caller = Caller(organisation_id=project, project_id=project, users=users)
    with project_scope(project):
        return read(caller=caller, **wanted)


@pytest.fixture(scope="module")
def names(api: Api) -> list[str]:
    """Ids of all sorts, some with facts alone; in the order of code points."""
    chance = random.Random(5)
    found = {"".join(chance.choice("aAbZ_%-é柏😀 ") for _ in range(4)).strip() or "x"
             for _ in range(60)}  # fmt: skip
    ordered = sorted(found)
    bodies = [{"content": "x", "user_id": name} for name in ordered[::2]]
    ok(api.post("/v1/batch", {"memories": bodies}), 202)
    for name in ordered[1::2]:
        fact = {"subject": "s", "predicate": "likes", "object": "o", "user_id": name}
        ok(api.post("/v1/facts", fact), 201)
    wait_for("users", lambda: ok(api.get("/v1/users"))["total"] == len(ordered))
    return ordered


def test_names_are_walked_from_either_side_and_by_their_beginning(
    project: uuid.UUID, names: list[str]
) -> None:
    from memories.selectors.holders import walk_users

    def walk(**wanted: Any) -> list[str]:
        found: list[str] = scoped(project, walk_users, **wanted)
        return found

    assert walk(limit=1000) == names
    assert walk(limit=7) == names[:7]
    for mark in (names[0], names[20], names[-1], "", "m", "\U0010ffff"):
        after = [name for name in names if name > mark]
        before = [name for name in names if name < mark][::-1]
        assert walk(beyond=mark, limit=5) == after[:5], mark
        assert walk(beyond=mark, backwards=True, limit=5) == before[:5], mark
    for prefix in {name[:cut] for name in names for cut in (1, 2)} | {"%", "_", "zz", "\\"}:
        starts = [name for name in names if name.startswith(prefix)]
        assert walk(prefix=prefix, limit=1000) == starts, prefix
        if starts:
            middle = starts[len(starts) // 2]
            at = starts.index(middle)
            assert walk(prefix=prefix, beyond=middle, limit=99) == starts[at + 1 :]
            back = walk(prefix=prefix, beyond=middle, backwards=True, limit=99)
            assert back == starts[:at][::-1]
    assert walk(users=("a*",), limit=99) == [name for name in names if name.startswith("a")]


def test_counts_stop_where_they_are_told_and_agree_with_the_api(
    project: uuid.UUID, api: Api, names: list[str]
) -> None:
    from memories.selectors.holders import count_users

    user = unique("ann")
    for day, city in (("2020", "Rome"), ("2021", "Oslo"), ("2022", "Bergen")):
        api.told(f"I moved to {city}. I like {city}.", user, timestamp=f"{day}-01-01")
    told = {one["user_id"]: one for one in ok(api.get("/v1/users", limit=200))["users"]}
    wanted = [*names[:5], None, user]
    counted = scoped(project, count_users, names=wanted)
    assert [one.name for one in counted] == wanted
    for one in counted:
        if one.name is not None:
            assert (one.memories, one.facts) == (told[one.name]["memories"],
                                                 told[one.name]["facts"])  # fmt: skip
    (few,) = scoped(project, count_users, names=[user], most=2)
    assert (few.memories, few.more_memories, few.facts, few.more_facts) == (2, True, 2, True)


def test_what_rests_on_a_memory_is_what_forgetting_it_ends(project: uuid.UUID, api: Api) -> None:
    from facts.selectors.of_memory import facts_resting_on

    user = unique("ann")
    said = ["I like tea and rain.", "I like tea. I live in Rome until 2040.", "I moved to Oslo.",
            "I'm going to visit Japan next year.", "I used to work at Acme."]  # fmt: skip
    made = [api.told(text, user)["id"] for text in said]
    fact = {"subject": user, "predicate": "likes", "object": "rain", "user_id": user}
    ok(api.post("/v1/facts", fact), 201)
    for memory_id in made:
        wanted = ids_of(memory_id)
        resting = scoped(project, facts_resting_on, memory_id=wanted)
        done = ok(api.delete(f"/v1/memories/{memory_id}"))
        assert done["facts_invalidated"] == len(resting), memory_id
        for one in resting:
            ended = ok(api.get(f"/v1/facts/{one.id}/why"))["ended"]
            assert ended["closed_reason"] == "erased_source"


def ids_of(wire: str) -> uuid.UUID:
    return uuid.UUID(wire.partition("_")[2])


def test_pages_of_explore_send_few_statements(project: uuid.UUID, api: Api) -> None:
    from django.urls import reverse

    from accounts.models import Membership, Person, Project

    user = unique("ann")
    memory = api.told("I live in Rome. I like tea, rain and snow.", user, agent_id=unique("bot"))
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    organisation = Project.objects.get(pk=project).organisation
    Membership.objects.create(organisation=organisation, person=person, role="owner")
    one = [project, memory["id"]]
    for path in (
        reverse("explore", args=[project]),
        reverse("explore", args=[project]) + "?find=a",
        reverse("explore-agents", args=[project]),
        reverse("explore-memories", args=[project]),
        reverse("explore-user", args=[project]) + f"?user={user}",
        reverse("explore-names", args=[project]) + f"?user={user}",
        reverse("explore-erase", args=[project]) + f"?user={user}",
        reverse("memory", args=one),
        reverse("memory-correct", args=one),
        reverse("memory-forget", args=one),
    ):
        sent = statements_of(path, person.id)
        assert len(sent) <= MOST_STATEMENTS, (path, len(sent), sent)
