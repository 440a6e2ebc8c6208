"""What an operator adds to the built-in predicates, per project: what it decides, and whom for."""

from __future__ import annotations

from typing import Any

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, wait_for
from tests.operations import manage


def predicates(stack: Stack, box: Box, *words: str) -> str:
    return manage(stack, "predicates", "--project", box.project["id"], *words)


def settle(stack: Stack, box: Box) -> None:
    """Wait until earlier facts are read anew."""
    wait_for("reading anew", lambda: "anew" not in predicates(stack, box, "list"))


def write(api: Api, predicate: str, value: str, **more: Any) -> dict[str, Any]:
    body = {"user_id": "u", "subject": "u", "predicate": predicate, "object": value, **more}
    return ok(api.post("/v1/facts", body), 201)


def objects(api: Api, **query: Any) -> list[str]:
    return sorted(fact["object"] for fact in api.facts(**query))


def test_one_value_at_a_time_holds_in_its_project_alone(stack: Stack, fresh: Box, box: Box) -> None:
    said = predicates(stack, fresh, "set", "badge_level", "--single", "--family", "work")
    assert said.strip() == "badge_level  work  single"
    for api in (fresh.api, box.api):
        write(api, "badge level", "gold", user_id="v")
        write(api, "badge_level", "silver", user_id="v")
    assert objects(fresh.api, user_id="v") == ["silver"]
    assert objects(box.api, user_id="v") == ["gold", "silver"]
    (gone,) = [
        fact
        for fact in fresh.api.facts(user_id="v", include_invalidated="true")
        if fact["invalid_at"]
    ]
    assert (gone["closed_reason"], gone["predicate_family"]) == ("superseded", "work")
