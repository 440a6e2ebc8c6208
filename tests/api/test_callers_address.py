"""Where a call came from, behind proxies and without: what audit and sign-up go by."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import Oracle
from tests.api_client import Api, ok, unique

PROXIES = ("10.0.0.0/8", "192.0.2.1/32", "2001:db8:ffff::/48")


@pytest.mark.parametrize(
    ("came_from", "forwarded", "address"),
    [
        ("203.0.113.9", None, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # no proxy of ours: it may write anything
        ("10.1.1.1", None, "10.1.1.1"),
        ("10.1.1.1", "", "10.1.1.1"),
        ("10.1.1.1", "198.51.100.1", "198.51.100.1"),
        ("10.1.1.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("10.1.1.1", "1.1.1.1,198.51.100.1 , 192.0.2.1,10.2.2.2", "198.51.100.1"),
        ("10.1.1.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"),  # nobody but proxies: the first of them
        ("10.1.1.1", "junk, 198.51.100.1", "198.51.100.1"),
        ("10.1.1.1", "198.51.100.1, junk", "10.1.1.1"),
        ("10.1.1.1", "198.51.100.1, junk, 10.2.2.2", "10.1.1.1"),
        ("10.1.1.1", "198.51.100.1:443", "10.1.1.1"),
        ("10.1.1.1", "010.1.1.1", "10.1.1.1"),
        ("10.1.1.1", "unknown", "10.1.1.1"),
        ("10.1.1.1", "198.51.100.1,,", "10.1.1.1"),
        ("::ffff:10.1.1.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("2001:db8:ffff::1", "2001:DB8:0:1::5", "2001:db8:0:1::5"),
        ("2001:db8:fffe::1", "198.51.100.1", "2001:db8:fffe::1"),
        ("", "198.51.100.1", None),  # a Unix socket
    ],
)
def test_the_caller_is_the_last_hop_that_is_no_trusted_proxy(
    stack: Stack, came_from: str, forwarded: str | None, address: str | None
) -> None:
    from ipaddress import ip_network

    from django.http import HttpRequest
    from django.test import override_settings

    from korely.http.authentication import _origin, peer

    _origin.cache_clear()  # it keeps what it knows as long as the settings of a process
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = came_from
    if forwarded is not None:
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded
    with override_settings(KORELY_TRUSTED_PROXIES=tuple(map(ip_network, PROXIES))):
        assert peer(request) == address
    _origin.cache_clear()
    with override_settings(KORELY_TRUSTED_PROXIES=()):
        assert peer(request) == (came_from.removeprefix("::ffff:") or None)
    _origin.cache_clear()


def test_audit_tells_the_address_that_a_trusted_proxy_gave(
    api: Api, open_door: str, oracle: Oracle
) -> None:
    """The shared server trusts no proxy; the other one trusts those on this machine."""
    behind = oracle.watch(Api(open_door, api.key))
    seen = {}
    for name, caller in (("direct", api), ("behind", behind)):
        user = unique(name)
        headers = {"X-Forwarded-For": "6.6.6.6, 198.51.100.77"}
        body = {"content": "From afar.", "user_id": user}
        ok(caller.request("POST", "/v1/memories", json=body, headers=headers), 201)
        (event,) = ok(api.get("/v1/audit", user_id=user, action="write"))["events"]
        seen[name] = event["ip"]
    assert seen == {"direct": "127.0.0.1", "behind": "198.51.100.77"}


def test_headers_given_twice_are_one_list(api: Api, open_door: str) -> None:
    user = unique("twice")
    caller = Api(open_door, api.key)
    headers = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "198.51.100.2")]
    body = {"content": "Twice.", "user_id": user}
    ok(caller.http.post("/v1/memories", json=body, headers=headers), 201)
    (event,) = ok(api.get("/v1/audit", user_id=user, action="write"))["events"]
    assert event["ip"] == "198.51.100.2"
