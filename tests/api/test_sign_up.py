"""POST /v1/agents/init: accounts that agents make for themselves."""

from __future__ import annotations

import ipaddress
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from korely.embedded.options import CHECKOUT
from korely.embedded.stack import Stack
from korely.kernel import hashing
from korely.kernel.errors import Refusal
from tests.api.oracle import Oracle
from tests.api_client import Api, ok, refused, unique
from tests.concurrency.at_once import at_once, statuses

INIT = "/v1/agents/init"
From = Callable[[str], Api]


def new_ipv4() -> str:
    """An address that nobody used before."""
    return str(ipaddress.IPv4Address(0xC0000000 | uuid.uuid4().int & 0x0FFFFFFF))


def new_ipv6_network() -> str:
    return f"2001:db8:{uuid.uuid4().hex[:4]}:{uuid.uuid4().hex[:4]}"


@pytest.fixture
def caller(open_door: str, oracle: Oracle) -> From:
    """A client without a key, at an address that a trusted proxy tells."""

    def make(address: str) -> Api:
        api = oracle.watch(Api(open_door, None))
        api.http.headers["X-Forwarded-For"] = address
        return api

    return make


def accounts_named(name: str) -> int:
    from accounts.models import Organisation

    return Organisation.objects.filter(name=name).count()


def test_sign_up_is_closed_unless_the_operator_opens_it(keyless: Api, boot: Api) -> None:
    name = unique("closed")
    for api in (keyless, boot):
        refused(api.post(INIT, {"agent_caller": name}), 403, "signup_disabled")
        refused(api.post(INIT), 403, "signup_disabled")
    assert accounts_named(name) == 0


def test_a_new_account_has_a_default_project_and_one_key(caller: From) -> None:
    name = unique("agent")
    anyone = caller(new_ipv4())
    made = ok(anyone.post(INIT, {"agent_caller": name, "processing_region": "eu"}), 201)
    assert made == {
        "api_key": made["api_key"],
        "tier": "hobby",
        "region": "local",
        "processing_region": None,
        "scopes": ["memories:read", "memories:write"],
        "quotas": {"writes_per_month": 2_000, "queries_per_month": 10_000, "agents": 2},
        "terms_url": "https://example.org/terms",
        "privacy_url": None,
    }
    api = Api(anyone.base_url, made["api_key"])
    ping = ok(api.get("/v1/ping"))
    assert {name: made[name] for name in ping if name != "ok"} == {
        name: value for name, value in ping.items() if name != "ok"
    }
    stored = api.add("The first memory.")
    assert [one["id"] for one in ok(api.get("/v1/memories"))["memories"]] == [stored["id"]]
    refused(api.get("/admin/keys"), 403, "forbidden", "admin")

    from accounts.models import ApiKey, Membership, Organisation, Project

    organisation = Organisation.objects.get(name=name)
    project = Project.objects.get(organisation=organisation)
    assert (project.name, project.is_default, project.region) == ("Default", True, "eu")
    key = ApiKey.objects.get(organisation=organisation)
    assert (key.name, key.project_id, key.users, key.expires_at) == (
        "first",
        project.id,
        None,
        None,
    )
    assert not Membership.objects.filter(organisation=organisation).exists()
    events = ok(api.get("/v1/audit", action="key_create"))["events"]
    assert [one["target_id"] for one in events] == [f"key_{key.id.hex}"]
    assert made["api_key"] not in repr(events)


def test_an_account_needs_no_words_and_a_long_name_is_cut(caller: From) -> None:
    for body in ({}, {"agent_caller": None, "processing_region": None}, {"agent_caller": " "}):
        before = accounts_named("Agent account")
        ok(caller(new_ipv4()).post(INIT, body), 201)
        assert accounts_named("Agent account") == before + 1
    name = unique("long").ljust(255, "é")
    ok(caller(new_ipv4()).post(INIT, {"agent_caller": name}), 201)
    assert accounts_named(name[:100]) == 1


def test_a_key_sent_along_is_ignored(caller: From, boot: Api, stack: Stack) -> None:
    for authorization in (f"Bearer {stack.key}", "Bearer kor_self_" + "0" * 32, "Basic x", "x"):
        anyone = caller(new_ipv4())
        anyone.http.headers["Authorization"] = authorization
        made = ok(anyone.post(INIT), 201)
        assert ok(Api(anyone.base_url, made["api_key"]).get("/v1/memories"))["total"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"agent_caller": "x" * 256}, "agent_caller"),
        ({"agent_caller": 5}, "agent_caller"),
        ({"agent_caller": "a\x00"}, "agent_caller"),
        ({"processing_region": "us"}, "processing_region"),
        ({"processing_region": "EU"}, "processing_region"),
        ({"name": "x"}, "name"),
        ({"plan": "scale"}, "plan"),
    ],
)
def test_a_refused_body_is_422_and_counts_for_nothing(
    caller: From, body: dict[str, Any], field: str
) -> None:
    anyone = caller(new_ipv4())
    refused(anyone.post(INIT, body), 422, "invalid_request", field)
    for _ in range(3):
        ok(anyone.post(INIT), 201)


def test_the_transport_s_rules_hold_without_a_key(caller: From) -> None:
    anyone = caller(new_ipv4())
    assert anyone.request("OPTIONS", INIT).status_code == 204
    response = anyone.get(INIT)
    refused(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "POST, DELETE, OPTIONS"
    for content in (b"[]", b"{", b'{"agent_caller": "\xff"}', b'{"a": 1, "a": 2}'):
        refused(anyone.request("POST", INIT, content=content), 422, "invalid_request")
    text = {"Content-Type": "text/plain"}
    response = anyone.request("POST", INIT, content=b"{}", headers=text)
    refused(response, 415, "unsupported_media_type")
    response = anyone.request("POST", INIT, content=b" " * 2_097_153)
    refused(response, 413, "payload_too_large")
    refused(anyone.get(f"{INIT}/"), 404, "not_found")


def test_a_network_makes_so_many_accounts_a_day(caller: From) -> None:
    """An IPv4 address however it is written, an IPv6 /64; others are not held up by it."""
    v4, v6 = new_ipv4(), new_ipv6_network()
    for spellings, others in (
        ([v4, f"::ffff:{v4}", f"spoofed,{v4}"], [new_ipv4()]),
        ([f"{v6}::1", f"{v6}:ffff::", f"{v6}:1:2:3:4"], [f"{new_ipv6_network()}::1"]),
    ):
        name = unique("network")
        for address in spellings:
            ok(caller(address).post(INIT, {"agent_caller": name}), 201)
        for address in spellings:
            response = caller(address).post(INIT, {"agent_caller": name})
            refused(response, 429, "signup_rate_limited")
            assert response.headers["retry-after"] == "86400"
            assert "ratelimit-limit" not in response.headers
        assert accounts_named(name) == 3
        for address in others:
            ok(caller(address).post(INIT), 201)


def test_what_the_caller_writes_itself_is_not_its_address(caller: From) -> None:
    """Only the entry that a trusted proxy added counts."""
    address = new_ipv4()
    for _ in range(3):
        ok(caller(f"{new_ipv4()}, {address}, 10.9.8.7").post(INIT), 201)
    refused(caller(f"{new_ipv4()}, {address}").post(INIT), 429, "signup_rate_limited")


def test_of_many_sign_ups_at_once_no_more_succeed_than_may(caller: From) -> None:
    address, name = new_ipv4(), unique("race")
    body = {"agent_caller": name}
    callers = [caller(address) for _ in range(12)]
    answers = at_once([lambda c=c: c.post(INIT, body) for c in callers])
    assert statuses(answers) == [201] * 3 + [429] * 9
    assert accounts_named(name) == 3


@pytest.fixture
def signing_up(stack: Stack) -> Iterator[Callable[..., Any]]:
    """The service itself, in this process, with sign-up open."""
    from django.test import override_settings

    from accounts.services import sign_up_agent

    def call(ip: str | None, name: str | None = None) -> Any:
        return sign_up_agent(agent_caller=name, processing_region=None, ip=ip)

    with override_settings(KORELY_SIGNUP=True, KORELY_SIGNUPS_PER_DAY=1):
        yield call


def test_an_account_that_could_not_be_made_is_not_counted(signing_up: Callable[..., Any]) -> None:
    from django.db import DataError

    address = new_ipv4()
    with pytest.raises(DataError, match="NUL"):
        signing_up(address, "no database\x00 takes this")
    assert signing_up(address).made.key
    with pytest.raises(Refusal, match="signup_rate_limited"):
        signing_up(address)


def test_tomorrow_a_network_may_again_and_yesterday_is_forgotten(
    signing_up: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from accounts.models import SignUpCount
    from accounts.services import sign_up

    address = new_ipv4()
    today = datetime.now(UTC)
    signing_up(address)
    known = hashing.daily_network(address, today.date().isoformat())
    assert SignUpCount.objects.get(network=known).accounts == 1
    assert address.encode() not in known
    monkeypatch.setattr(sign_up, "now", lambda: today + timedelta(days=1))
    signing_up(address)
    with pytest.raises(Refusal, match="signup_rate_limited"):
        signing_up(address)
    assert not SignUpCount.objects.filter(day__lte=today.date()).exists()
    SignUpCount.objects.all().delete()


def test_no_limit_of_accounts_is_none_at_all(signing_up: Callable[..., Any]) -> None:
    from django.test import override_settings

    with override_settings(KORELY_SIGNUPS_PER_DAY=0), pytest.raises(Refusal):
        signing_up(new_ipv4())
    signing_up(None)
    with pytest.raises(Refusal, match="signup_rate_limited"):
        signing_up(None)  # callers without an address are one network


def test_a_plan_that_does_not_exist_stops_the_start_and_opens_nothing(
    stack: Stack, signing_up: Callable[..., Any]
) -> None:
    from django.test import override_settings

    name = unique("planless")
    with override_settings(SIGNUP_PLAN="platinum"), pytest.raises(Refusal, match="signup_disabled"):
        signing_up(new_ipv4(), name)
    assert accounts_named(name) == 0
    variables = {"KORELY_SIGNUP": "1", "SIGNUP_PLAN": "platinum"}
    outcome = subprocess.run(
        [sys.executable, "manage.py", "prepare"],
        cwd=CHECKOUT,
        env={**os.environ, **stack.env, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 1
    assert "SIGNUP_PLAN is 'platinum', and there is no such plan" in outcome.stderr


def test_an_agent_that_is_named_like_the_route_can_be_purged(api: Api) -> None:
    made = api.add("By an agent of an awkward name.", agent_id="init")
    assert ok(api.delete(INIT))["memories_deleted"] == 1
    refused(api.get(f"/v1/memories/{made['id']}"), 404, "not_found")
    refused(api.delete(INIT), 404, "not_found", "'init'")
