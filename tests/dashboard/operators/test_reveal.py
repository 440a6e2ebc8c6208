"""A text is shown to an operator who says why, once, and that is told before it is read."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box, ok
from tests.dashboard.operators.ground import acts, events, owner_of, person_of, project_of
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words

REASON = "The customer asked why this one fails."


def test_a_reason_shows_a_memory_once_and_is_kept_for_its_owners(
    house: Stack, operator: Visitor, box: Box
) -> None:
    text = '<b>Zanzibar</b> </script> {{ 7*7 }} "x"'
    made = box.api.add(text, user_id="u", metadata={"n": 1e300})
    project, path = project_of(box), f"/ops/look/{box.project['id']}/{made['id']}/"
    account = owner_of(house, project)
    before = acts(house, account)
    shown = operator.post(path, {"reason": f"  {REASON} "})
    assert shown.status_code == 200
    assert shown.headers["cache-control"] == "no-store"
    assert "<b>Zanzibar" not in shown.text
    assert text in words(shown)
    assert '{"n":1e+300}' in words(shown)
    assert "Zanzibar" not in operator.get(path).text
    assert acts(house, account) == [*before, ("reveal", made["id"], REASON, False)]
    (event,) = events(house, project, "operator_reveal")
    act = event["meta"].pop("act")
    assert len(act) == 32
    assert event == {
        "actor": "dashboard",
        "result": "ok",
        "user_id": "u",
        "target": made["id"],
        "meta": {"person": person_of(operator)},
        "memories": event["memories"],
        "facts": None,
        "from": True,
    }
    assert [one.hex for one in event["memories"]] == [made["id"][4:]]
    told = ok(box.api.get("/v1/audit", action="operator_reveal"))["events"]
    assert [one["target_id"] for one in told] == [made["id"]]


def test_a_fact_and_a_forgotten_memory_are_shown_the_same_way(
    house: Stack, operator: Visitor, box: Box
) -> None:
    made = box.api.told("I live in Lisbon.", "u")
    (fact,) = box.api.facts(user_id="u")
    shown = operator.post(f"/ops/look/{box.project['id']}/{fact['id']}/", {"reason": REASON})
    assert "Predicate lives_in Object Lisbon" in words(shown)
    ok(box.api.delete(f"/v1/memories/{made['id']}"))
    again = operator.post(f"/ops/look/{box.project['id']}/{made['id']}/", {"reason": REASON})
    assert "Lisbon" in words(again)
    assert "Forgotten" in words(again)
    targets = [one["target"] for one in events(house, project_of(box), "operator_reveal")]
    assert targets == [fact["id"], made["id"]]


@pytest.mark.parametrize("reason", ["", "too short", "         too short         ", "x" * 501])
def test_without_a_reason_nothing_is_shown_or_told(
    house: Stack, operator: Visitor, box: Box, reason: str
) -> None:
    made = box.api.add("Zanzibar.", user_id="u")
    project, path = project_of(box), f"/ops/look/{box.project['id']}/{made['id']}/"
    before = acts(house, owner_of(house, project))
    answer = operator.post(path, {"reason": reason})
    assert answer.status_code == 422
    assert "errorlist" in answer.text
    assert "Zanzibar" not in answer.text
    assert events(house, project, "operator_reveal") == []
    assert acts(house, owner_of(house, project)) == before


def test_nobody_else_is_shown_anything(house: Stack, gathered: Team, box: Box) -> None:
    made = box.api.add("Zanzibar.", user_id="u")
    path = f"/ops/look/{box.project['id']}/{made['id']}/"
    for visitor, page in (
        (gathered.owner, "/account/logout/"),
        (Visitor(house), "/account/login/"),
    ):
        answer = visitor.post(path, {"reason": REASON}, page=page)
        assert answer.status_code in (302, 404)
        assert "Zanzibar" not in answer.text
    assert events(house, project_of(box), "operator_reveal") == []
