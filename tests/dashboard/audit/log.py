"""A project's audit log as the pages show it, and rows written to it at once."""

from __future__ import annotations

import html
import re
import uuid
from datetime import datetime
from typing import Any

import httpx
import psycopg

from tests.api_client import ok
from tests.dashboard.playground.ground import Ground
from tests.dashboard.visitor import Visitor

_WRITE = """
    INSERT INTO billing_auditevent
        (project_id, id, ts, actor, action, result, user_id, meta, ip)
    SELECT %(project)s, gen_random_uuid(), %(newest)s::timestamptz - number * interval '1 second',
        %(actor)s, %(action)s, %(result)s, %(user)s, '{}', '192.0.2.7'
    FROM generate_series(0, %(count)s - 1) number
"""


def path_of(ground: Ground) -> str:
    return f"/dashboard/p/{ground.project}/audit/"


def look(ground: Ground, by: Visitor | None = None, **filters: str) -> httpx.Response:
    return (by or ground.owner).get(path_of(ground), params=filters)


def listed(page: httpx.Response) -> list[str]:
    """The ids of the events on a page, as they stand."""
    assert page.status_code == 200, page.text[-500:]
    found = re.findall(r'/audit/events/\d+/([0-9a-f-]{36})/"', page.text)
    return [f"aud_{uuid.UUID(one).hex}" for one in found]


def link(page: httpx.Response, words: str) -> str | None:
    """Where a link of that text leads to."""
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>{words}</a>', page.text)
    return html.unescape(found.group(1)) if found else None


def follow(ground: Ground, page: httpx.Response, words: str) -> httpx.Response:
    href = link(page, words)
    assert href is not None, words
    return ground.owner.get(f"{path_of(ground)}{href}" if href.startswith("?") else href)


def answered(ground: Ground, **query: Any) -> list[dict[str, Any]]:
    """All events of a filter as the API answers them."""
    return list(ok(ground.api.get("/v1/audit", limit=1_000, **query))["events"])


def written(
    ground: Ground,
    count: int,
    *,
    newest: datetime,
    actor: str = "rest",
    action: str = "write",
    result: str = "ok",
    user: str | None = None,
) -> None:
    """Events a second apart, the newest at an instant."""
    values = {
        "project": ground.project, "count": count, "newest": newest, "actor": actor,
        "action": action, "result": result, "user": user,
    }  # fmt: skip
    with psycopg.connect(ground.house.env["DATABASE_URL"]) as connection:
        project = uuid.UUID(ground.project).hex
        connection.execute(f"SET LOCAL korely.project_id = '{project}'")
        connection.execute(_WRITE, values)


def exported(ground: Ground, form: str, **filters: str) -> httpx.Response:
    """The file of a filter."""
    query = str(httpx.QueryParams(filters))
    path = f"{path_of(ground)}export/" + (f"?{query}" if query else "")
    return ground.owner.post(path, {"format": form}, page=path_of(ground))
