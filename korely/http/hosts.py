"""Which host names are the install's own."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


def is_own(host: str) -> bool:
    """The public address, a host named in ALLOWED_HOSTS, or loopback; `host` may have a port.

    ALLOWED_HOSTS may be `*` for the API, whose answers do not depend on it. What a browser does
    depends on it: a page of another name's origin must not show or send anything.
    """
    name = split_domain_port(host.lower())[0]
    public = urlsplit(settings.KORELY_PUBLIC_URL).hostname or ""
    named = [one for one in settings.ALLOWED_HOSTS if one != "*"]
    if name == "localhost" or validate_host(name, [*named, _bracketed(public)]):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
