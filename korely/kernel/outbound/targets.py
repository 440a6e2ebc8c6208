"""URLs that callers give: read strictly, refused by name and by what they resolve to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from korely.kernel.outbound.addresses import Address, is_public
from korely.kernel.outbound.resolving import Resolver, Unresolved, resolve

MOST_URL = 2_048  # characters; contract, section 18
REGISTRATION_SECONDS = 3.0

_CHARACTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")  # RFC 3986
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DOTTED = re.compile(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}")
_OWN_NAMES = ("localhost", "local", "internal")
_PORTS = {"https": 443, "http": 80}


class Refused(Exception):
    """A URL that is never called; its text says why, and no more than the URL itself does."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes. `host` has neither brackets nor a final dot; `path` has the query."""

    secure: bool
    host: str
    port: int
    path: str
    authority: str  # what the Host header says


def read(url: str, *, allow_private: bool) -> Target:
    """The target of a URL that is allowed as it is written; its name is not resolved.

    `allow_private` allows `http`, names and addresses of this machine and its network.

    Raises:
        Refused: anything but an `https` URL of a public name or address, in its plain spelling.
    """
    if len(url) > MOST_URL:
        raise Refused(f"must be at most {MOST_URL:,} characters")
    if not _CHARACTERS.fullmatch(url):
        raise Refused("has characters that a URL must have percent-encoded or in punycode")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refused("is not a URL") from None
    if parts.scheme not in (("https", "http") if allow_private else ("https",)):
        raise Refused("must begin with https://")
    if "@" in parts.netloc:
        raise Refused("must not contain a user name or password")
    if not host or port == 0 or parts.netloc.endswith(":"):
        raise Refused("must name a host, and a port from 1 to 65535 if any")
    host = host.removesuffix(".")
    _check_host(host, bracketed="[" in parts.netloc, allow_private=allow_private)
    return _target(parts, host, port)


def check(
    url: str,
    *,
    allow_private: bool,
    resolver: Resolver = resolve,
    seconds: float = REGISTRATION_SECONDS,
) -> Target:
    """`read`, and refuse a name that resolves to an address that is not public.

    A name that does not resolve within `seconds` is accepted: `post` resolves it again.

    Raises:
        Refused: as `read`, and for such a name.
    """
    target = read(url, allow_private=allow_private)
    if not allow_private:
        try:
            require_public(resolver(target.host, target.port, seconds))
        except Unresolved:
            return target
    return target


def require_public(addresses: list[Address]) -> None:
    """Raises Refused unless every one of the addresses is public: one that is not taints all."""
    if not all(is_public(address) for address in addresses):
        raise Refused("leads to a private or special address")


def _check_host(host: str, *, bracketed: bool, allow_private: bool) -> None:
    if bracketed:
        try:
            address: Address = IPv6Address(host)
        except ValueError:
            raise Refused("is not a URL") from None
        if not allow_private:
            require_public([address])
        return
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise Refused("must name a host by its DNS name or its address")
    if allow_private:
        return
    if labels[-1] in _OWN_NAMES:
        raise Refused("names a host of this machine or its network")
    if _NUMBER.fullmatch(labels[-1]):
        # What a resolver takes for an IPv4 address, however it is spelled.
        if not _DOTTED.fullmatch(host):
            raise Refused("spells an address in another way than 192.0.2.1")
        try:
            require_public([ip_address(host)])
        except ValueError:
            raise Refused("is not a URL") from None


def _target(parts: SplitResult, host: str, port: int | None) -> Target:
    usual = _PORTS[parts.scheme]
    shown = f"[{host}]" if ":" in host else host
    return Target(
        secure=parts.scheme == "https",
        host=host,
        port=port or usual,
        path=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
        authority=shown if port in (None, usual) else f"{shown}:{port}",
    )
