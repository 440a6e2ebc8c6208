"""What the audit log holds of facts and names that callers write: ids, never content."""

from __future__ import annotations

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused
from tests.fact_calls import correct, declare, forget, write


def events(api: Api) -> list[tuple[str, str | None]]:
    """Action and target of what concerns `u`, oldest first."""
    found = ok(api.get("/v1/audit", user_id="u"))["events"]
    return [(event["action"], event["target_id"]) for event in reversed(found)]


def test_every_act_on_a_fact_is_an_event_with_its_end_user(fresh: WatchedBox) -> None:
    api = fresh.api
    a = write(api, "Ann", "lives_in", "swordfish", user_id="u")["id"]
    b = write(api, "Ann", "lives_in", "Oslo", user_id="u")["id"]
    write(api, "Ann", "lives_in", "Oslo", user_id="u")
    c = correct(api, b, object="Bern")["id"]
    receipt = forget(api, c)["audit_id"]
    forget(api, c)
    declare(api, "u", "Annie Oakley")
    declare(api, "u", "ANNIE OAKLEY")
    refused(api.patch(f"/v1/facts/{a}", {"object": "x"}), 409, "fact_not_current")
    assert events(api) == [
        ("fact_write", a),
        ("fact_write", b),
        ("fact_invalidate", a),
        ("fact_write", b),
        ("fact_write", c),
        ("fact_invalidate", b),
        ("fact_invalidate", c),
        ("forget", c),
        ("name_declare", None),
    ]
    trail = ok(api.get("/v1/audit", user_id="u"))["events"]
    assert {(event["user_id"], event["actor"], event["result"]) for event in trail} == {
        ("u", "rest", "ok")
    }
    assert [event["id"] for event in trail if event["action"] == "forget"] == [receipt]
    text = api.get("/v1/audit").text
    assert not [word for word in ("swordfish", "Ann", "Bern", "lives") if word in text]


def test_a_profile_is_a_read_of_the_facts_it_lists(fresh: WatchedBox) -> None:
    fact = write(fresh.api, "Ann", "likes", "tea", user_id="u")
    ok(fresh.api.get("/v1/profile", user_id="u"))
    (event,) = ok(fresh.api.get("/v1/audit", action="read"))["events"]
    assert event["user_id"] == "u"
    assert event["read"] == {"memories": [], "facts": [fact["id"]]}


def test_what_a_declared_name_ends_is_told_too(fresh: WatchedBox) -> None:
    api = fresh.api
    own = write(api, "u", "lives_in", "Rome", user_id="u", valid_from="2026-01-01")
    write(api, "Una", "lives_in", "Oslo", user_id="u", valid_from="2026-02-01")
    declare(api, "u", "Una")
    assert events(api)[2:] == [("name_declare", None), ("fact_invalidate", own["id"])]
