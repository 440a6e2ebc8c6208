"""The audit log as a file."""

from __future__ import annotations

import csv
import io
import json

from tests.api_client import ok
from tests.dashboard.audit.log import answered, exported
from tests.dashboard.playground.ground import Ground

LINE_END = "a\u2028b\x85c"


def test_an_export_is_the_list_of_the_api_and_an_event_itself(ground: Ground, uid: str) -> None:
    ground.added("I live in Rome.", user_id=uid)
    ground.api.settle(uid)
    ground.api.search("Where?", user_id=uid)
    ground.api.add("Something.", user_id=LINE_END.replace("\x85", ""))
    ground.api.settle()
    ok(ground.api.post("/v1/facts", {"subject": "x", "predicate": "is", "object": "y"}), 201)
    expected = answered(ground)
    sent = exported(ground, "ndjson")
    assert sent.headers["content-type"] == "application/x-ndjson"
    assert 'attachment; filename="audit-prj_' in sent.headers["content-disposition"]
    found = [json.loads(line) for line in sent.text.splitlines()]
    keys = {event["key_id"] for event in found if event["actor"] == "rest"}
    assert len(keys) == 1
    assert [{k: v for k, v in event.items() if k != "key_id"} for event in found] == expected
    newest = answered(ground)[0]
    assert (newest["action"], newest["actor"]) == ("export", "dashboard")
    assert newest["meta"] | {"person": ""} == {
        "call": "audit", "format": "ndjson", "filters": [], "person": ""
    }  # fmt: skip
    narrowed = exported(ground, "ndjson", user_id=uid, action="read")
    ids = [json.loads(line)["id"] for line in narrowed.text.splitlines()]
    assert ids == [event["id"] for event in answered(ground, user_id=uid, action="read")]
    assert answered(ground)[0]["meta"]["filters"] == ["user_id", "action"]


def test_a_csv_holds_the_same_and_no_formula(ground: Ground) -> None:
    for name in ("=1+1", "+x", "-x", "@x", "plain", 'quo"ted, one'):
        ground.api.add("I live in Rome.", user_id=name)
    ground.api.settle()
    expected = answered(ground)
    sent = exported(ground, "csv")
    assert sent.headers["content-type"] == "text/csv; charset=utf-8"
    found = list(csv.DictReader(io.StringIO(sent.text, newline="")))
    assert [row["id"] for row in found] == [event["id"] for event in expected]
    assert [row["ts"] for row in found] == [event["ts"] for event in expected]
    owners = {row["user_id"] for row in found}
    assert owners == {"", "'=1+1", "'+x", "'-x", "'@x", "plain", 'quo"ted, one'}
    assert all(
        json.loads(row["meta"]) == event["meta"] for row, event in zip(found, expected, strict=True)
    )


def test_an_unknown_format_exports_nothing(ground: Ground) -> None:
    ground.added("I live in Rome.")
    ground.api.settle()
    before = ground.events()
    for form in ("", "xlsx"):
        assert exported(ground, form).status_code == 302
    assert exported(ground, "csv", since="soon").status_code == 302
    assert ground.events() == before
