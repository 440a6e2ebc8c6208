"""Links for mails: always at the public address, whatever host a request named."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.urls import get_script_prefix, reverse


def public_url(name: str, *args: object) -> str:
    """The absolute address of a named page."""
    path = reverse(name, args=args)
    return f"{settings.KORELY_PUBLIC_URL}/{path.removeprefix(get_script_prefix())}"


def at_public_address(url: str) -> str:
    """The same page at the public address; `url` was built from a request's Host header."""
    public = urlsplit(settings.KORELY_PUBLIC_URL)
    return urlsplit(url)._replace(scheme=public.scheme, netloc=public.netloc).geturl()
