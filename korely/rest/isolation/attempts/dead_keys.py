"""Keys that ended, and a live one outside the header: answered as no key at all, everywhere."""

from __future__ import annotations

from functools import partial

from korely.rest.isolation.evidence import Aim, at, require_kinds, send, unchanged
from korely.rest.isolation.ground import Ground
from korely.rest.isolation.report import Report
from korely.rest.isolation.surface import Call, calls
from korely.rest.isolation.wire import Answer, Client

PART = "dead keys"
# Where other services take a key from.
PARAMETERS = ("api_key", "apikey", "key", "token", "access_token", "authorization")


def attempt(ground: Ground, report: Report) -> None:
    """Every call that needs a key."""
    nobody = ground.home.client.as_key(None)
    unknown = nobody.send("GET", "/v1/ping")
    for call in calls():
        for told, client in ground.dead.items():
            run = partial(_dead, ground, call, client)
            report.try_out(PART, f"{call} by {told}", partial(_unknown, ground, run, unknown))
        if call.reads:
            told = f"{call} with a live key in the query string"
            run = partial(_in_query, ground, call, nobody)
            report.try_out(PART, told, partial(_unknown, ground, run, unknown))


def _dead(ground: Ground, call: Call, client: Client) -> Answer:
    aim = _aim(ground, call)
    return send(client, call, aim.objects, aim.values)


def _in_query(ground: Ground, call: Call, nobody: Client) -> Answer:
    aim = _aim(ground, call)
    given = dict.fromkeys(PARAMETERS, ground.home.client.key)
    body = aim.values if call.where == "body" else None
    query = given if call.where == "body" else {**aim.values, **given}
    return nobody.send(call.method, call.path(aim.objects), query=query, body=body)


def _aim(ground: Ground, call: Call) -> Aim:
    require_kinds(call, ground.one.objects)
    return at(call, ground.one.objects)


def _unknown(ground: Ground, run: partial[Answer], unknown: Answer) -> str | None:
    def go() -> str | None:
        answer = run()
        if answer.status != 401:
            return f"{answer.status} instead of 401"
        return None if answer.text == unknown.text else "another answer than without a key"

    return unchanged([ground.home, ground.sibling], go)
