"""An organisation in which every word that somebody chose is hostile, with one object of each kind
that a page can show.
"""

from __future__ import annotations

import uuid
from urllib.parse import quote

import psycopg

from korely.kernel import ids
from tests.api_client import ok, wait_for
from tests.dashboard.keyring import key_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team

# Markup, the end of a script, a template, a link, a text that runs backwards: at most 100
# characters.
HOSTILE = "<img src=x onerror=hacked()></script>{{7*7}}<a href=javascript:hacked()>\u202edrawkcab"
NAME = "<img src=x onerror=hacked()>{{7+7}}\u202eeman"  # of end users and agents: no slash


def filled(team: Team) -> dict[str, str]:
    """The ids that addresses are made of, by what they name."""
    organisation, project = team.organisation, team.project
    admin = key_of(team.house, organisation, project, "admin")
    api = key_of(team.house, organisation, project)
    told = {"user_id": NAME, "agent_id": NAME, "run_id": HOSTILE, "metadata": {HOSTILE: HOSTILE}}
    memory = api.add(f"I live in Rome. {HOSTILE}", **told)
    api.settle()
    fact = ok(
        api.post(
            "/v1/facts",
            {"subject": HOSTILE, "predicate": "likes", "object": HOSTILE, "user_id": NAME},
        ),
        201,
    )
    ok(api.post(f"/v1/users/{quote(NAME, safe='')}/names", {"name": HOSTILE}), 201)
    gone = "gone"
    api.add("To be erased.", user_id=gone)
    api.settle()
    erasure = ok(api.delete(f"/v1/users/{gone}/memories"))["audit_id"]
    key = ok(
        admin.post("/admin/keys", {"name": HOSTILE, "users": [NAME], "scopes": ["memories:read"]}),
        201,
    )
    hook = {"url": f"https://example.com/?{quote(HOSTILE)}", "description": HOSTILE}
    webhook = ok(admin.post("/admin/webhooks", {**hook, "events": ["quota.warning"]}), 201)
    other = ok(admin.post("/admin/projects", {"name": HOSTILE[:90], "description": HOSTILE}), 201)
    delivery = uuid.uuid4()
    with psycopg.connect(team.house.env["DATABASE_URL"]) as connection:
        connection.execute(f"SET LOCAL korely.project_id = '{project}'")
        connection.execute(
            "UPDATE accounts_organisation SET name = %s WHERE id = %s", [HOSTILE, organisation]
        )
        connection.execute("UPDATE accounts_person SET name = %s", [HOSTILE])
        connection.execute(
            "UPDATE accounts_project SET description = %s WHERE id = %s", [HOSTILE, project]
        )
        connection.execute(
            "INSERT INTO webhooks_delivery (id, endpoint_id, project_id, event, state, attempts,"
            " error, created_at)"
            " VALUES (%s, %s, %s, 'quota.warning', 'dead', 8, 'no answer', now())",
            [delivery, ids.parse(ids.WEBHOOK, webhook["id"]), project],
        )
    logged = "SELECT id::text FROM billing_requestentry WHERE organisation_id = %s LIMIT 1"
    ((request,),) = wait_for("the log of requests", lambda: rows(team.house, logged, organisation))
    event = (
        "SELECT id::text, (extract(epoch FROM ts) * 1000000)::bigint FROM billing_auditevent"
        " WHERE project_id = %s AND user_id = %s ORDER BY ts LIMIT 1"
    )
    ((event_id, micros),) = rows(team.house, event, project, NAME)
    return {
        "organisation": organisation,
        "project_uuid": project,
        "project": str(ids.parse(ids.PROJECT, other["id"])),
        "memory": memory["id"],
        "memory_uuid": str(ids.parse(ids.MEMORY, memory["id"])),
        "fact": fact["id"],
        "user": NAME,
        "agent": NAME,
        "erasure": erasure,
        "key": str(ids.parse(ids.KEY, key["id"])),
        "webhook": str(ids.parse(ids.WEBHOOK, webhook["id"])),
        "delivery": str(delivery),
        "request": request,
        "event": event_id,
        "micros": str(micros),
        "nothing": str(uuid.uuid4()),
    }
