"""Every page of the dashboard, timed over HTTP as its owner sees it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlencode

import httpx
import numpy as np

from benchmarks.calls import Effort
from benchmarks.dashboard.filling import AUDIT, FACTS, KEYS, MEMORIES, PASSWORD, House, fill
from benchmarks.dashboard.statements import statements_of
from benchmarks.installation import Installation
from benchmarks.result import Result

P95_BAR_MS = 150.0
STATEMENTS_BAR = 10.0
DEEP = 40  # pages followed to the older ones before the one that is timed
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_OLDER = re.compile(r'href="(\?[^"]*)" rel="next"')


def dashboard(installation: Installation, effort: Effort) -> Iterator[Result]:
    """Pages at 1,000 keys, 100,000 memories, 100,000 facts and 1,000,000 audit events."""
    from accounts.models import Person

    house = fill(installation)
    person = Person.objects.get(email=house.email)
    with closing(_signed_in(installation, house)) as http:
        for name, first in _paths(house):
            path = _deep(http, first) if name.endswith("deep") else first
            times = [_milliseconds(http, path) for _ in range(max(effort.requests // 4, 20))]
            p50, p95 = np.percentile(times[2:], [50, 95])
            yield Result(
                "dashboard",
                {"page": name, "keys": KEYS, "memories": MEMORIES, "facts": FACTS, "audit": AUDIT},
                {
                    "p50_ms": round(float(p50), 1),
                    "p95_ms": round(float(p95), 1),
                    "statements": len(statements_of(path, person.id)),
                },
                bar={"p95_ms": P95_BAR_MS, "statements": STATEMENTS_BAR},
            )


def _paths(house: House) -> Iterator[tuple[str, str]]:
    from django.urls import reverse

    def page(route: str, *where: object, **query: str) -> str:
        asked = f"?{urlencode(query)}" if query else ""
        return reverse(route, args=[str(part) for part in where]) + asked

    project, organisation = house.project, house.organisation
    yield "overview", page("overview", project)
    yield "explore", page("explore", project)
    yield "explore-user", page("explore-user", project, user=house.user)
    yield "explore-user-deep", page("explore-user", project, user=house.user)
    yield "memory", page("memory", project, house.memory)
    yield "timeline", page("timeline", project, user=house.known_user)
    yield "timeline-as-of", page("timeline", project, user=house.known_user, as_of="2025-06-01")
    yield "fact", page("fact", project, house.fact)
    yield "playground", page("playground", project)
    yield "audit", page("audit", project)
    yield "audit-deep", page("audit", project)
    yield "audit-of-a-user", page("audit", project, user="user-07")
    yield "audit-denied", page("audit", project, result="denied")
    yield "audit-of-a-key", page("audit", project, key=f"key_{house.key.hex}")
    yield "keys", page("keys", organisation)
    yield "keys-deep", page("keys", organisation)
    yield "key", page("key", organisation, house.key)
    yield "usage", page("usage", organisation)
    yield "usage-of-a-key", page("usage", organisation, key=house.key.hex)
    yield "usage-which-key", page("usage", organisation, key="key")
    yield "usage-limits", page("usage-limits", organisation)
    yield "usage-plan", page("usage-plan", organisation)
    yield "requests", page("requests", organisation)
    yield "requests-deep", page("requests", organisation)
    yield "requests-of-a-key", page("requests", organisation, key=house.key.hex)
    yield "requests-which-key", page("requests", organisation, key="key")
    yield "webhooks", page("webhooks", organisation)
    yield "webhook", page("webhook", organisation, house.webhook)
    yield "projects", page("projects", organisation)
    yield "team", page("team", organisation)
    yield "access", page("access", organisation)
    yield "settings", page("settings", organisation)


def _signed_in(installation: Installation, house: House) -> httpx.Client:
    http = httpx.Client(base_url=installation.stack.base_url, timeout=60)
    form = _TOKEN.search(http.get("/account/login/").text)
    assert form is not None
    data = {"login": house.email, "password": PASSWORD, "csrfmiddlewaretoken": form.group(1)}
    answer = http.post("/account/login/", data=data)
    if answer.status_code != 302:
        raise RuntimeError(f"the owner could not sign in: {answer.status_code}")
    return http


def _milliseconds(http: httpx.Client, path: str) -> float:
    began = time.perf_counter()
    answer = http.get(path)
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}")
    return 1000 * (time.perf_counter() - began)


def _deep(http: httpx.Client, path: str) -> str:
    """The address some pages further into the past."""
    here = path
    for _ in range(DEEP):
        older = _OLDER.search(http.get(here).text)
        if older is None:
            break
        here = path.partition("?")[0] + older.group(1).replace("&amp;", "&")
    return here
