"""GET /v1/facts/{fact_id}/why: who may ask, and what it costs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable

from korely.rest.answers.facts import WHY_EXAMPLE
from tests.api.oracle import Oracle, WatchedBox
from tests.api.why.asking import why
from tests.api_client import Api, ok, refused
from tests.fact_calls import write


def test_an_unknown_a_malformed_and_a_foreign_fact_are_404_alike(
    api: Api, stranger: Api, uid: str
) -> None:
    made = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    bodies = {
        refused(key.get(f"/v1/facts/{one}/why"), 404, "not_found")["message"]
        for key, one in (
            (api, f"fct_{uuid.uuid4().hex}"),
            (api, "fct_nonsense"),
            (api, "mem_" + made["id"][4:]),
            (stranger, made["id"]),
        )
    }
    assert len(bodies) == 1
    assert why(api, made["id"][4:].upper())["fact"]["id"] == made["id"]


def test_a_confined_key_is_told_of_its_own_end_users_facts_alone(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["anna", "team-*"])
    for owner, status in (("anna", 200), ("team-1", 200), ("bob", 404), (None, 404)):
        fields = {"user_id": owner} if owner else {}
        made = write(fresh.api, "s", "status", "o", **fields)
        assert confined.get(f"/v1/facts/{made['id']}/why").status_code == status


def test_it_is_one_read_event_with_ids_alone(fresh: WatchedBox) -> None:
    memory = fresh.api.told("I live in Rome.", "u", timestamp="2026-01-10")
    (rome,) = memory["facts"]
    milan = write(fresh.api, "u", "lives_in", "Milan", user_id="u")
    before = ok(fresh.api.get("/v1/audit", action="read"))["total"]
    why(fresh.api, rome["id"])
    trail = ok(fresh.api.get("/v1/audit", action="read"))
    assert trail["total"] == before + 1
    event = trail["events"][0]
    assert (event["user_id"], event["target_id"]) == ("u", rome["id"])
    assert event["meta"] == {"call": "why"}
    assert event["read"] == {"memories": [memory["id"]], "facts": [rome["id"], milan["id"]]}
    assert "Rome" not in json.dumps(event)


def test_it_costs_one_query_and_nothing_where_there_is_none(on_plan: Callable[..., Api]) -> None:
    api = on_plan(queries_per_month=1)
    made = write(api, "Ann", "lives_in", "Rome")
    refused(api.get(f"/v1/facts/fct_{uuid.uuid4().hex}/why"), 404, "not_found")
    why(api, made["id"])
    refused(api.get(f"/v1/facts/{made['id']}/why"), 429, "quota_exceeded")
    refused(api.get(f"/v1/facts/fct_{uuid.uuid4().hex}/why"), 404, "not_found")


def test_the_document_s_example_is_such_an_answer(oracle: Oracle) -> None:
    answer = oracle.document["paths"]["/v1/facts/{fact_id}/why"]["get"]["responses"]["200"]
    shown = answer["content"]["application/json"]
    (example,) = shown["examples"].values()
    assert example["value"] == WHY_EXAMPLE
    oracle.validate(shown["schema"], example["value"])
