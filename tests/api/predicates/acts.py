"""Acts on the predicates of a project, and facts as they are compared."""

from __future__ import annotations

from typing import Any

from tests.api_client import Api, Box, ok, wait_for
from tests.fact_calls import all_of
from tests.operations import command


def predicates(box: Box, *words: str) -> str:
    return command("predicates", "--project", box.project["id"], *words)


def put(box: Box, *words: str) -> str:
    """Set a predicate, and wait until earlier facts are read anew."""
    said = predicates(box, "set", *words)
    reread(box)
    return said.strip()


def reread(box: Box) -> None:
    wait_for("reading anew", lambda: "anew" not in predicates(box, "list"))


def write(api: Api, predicate: str, value: str, user: str = "u", **more: Any) -> dict[str, Any]:
    body = {"user_id": user, "subject": user, "predicate": predicate, "object": value, **more}
    return ok(api.post("/v1/facts", body), 201)


def objects(api: Api, user: str = "u", **query: Any) -> list[str]:
    return sorted(fact["object"] for fact in api.facts(user_id=user, **query))


def ends(api: Api, user: str = "u") -> dict[str, tuple[str | None, str | None, str | None]]:
    """By object: the date of its end, why, and the object of the fact that ended it."""
    rows = all_of(api, user)
    named = {id_: row["object"] for id_, row in rows.items()}
    return {
        row["object"]: (
            row["invalid_at"] and row["invalid_at"][:10],
            row["closed_reason"],
            named.get(row["invalidated_by"]),
        )
        for row in rows.values()
    }


STILL_OPEN = (None, None, None)
