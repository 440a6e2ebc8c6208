"""A browser without a screen: cookies, forms, mails, authenticator codes."""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib
import hmac
import html
import re
import secrets
import struct
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from korely.embedded.stack import Stack
from tests.api_client import unique, wait_for

PASSWORD = "correct horse battery 9"
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def address() -> str:
    """A fresh e-mail address."""
    return f"{unique('p')}@people.example"


class Visitor:
    """One browser, from an address of its own so that limits by address stay apart."""

    def __init__(self, stack: Stack, mail: str | None = None, base: str | None = None) -> None:
        self.stack = stack
        self.email = mail or address()
        self.secret = ""
        peer = f"198.51.{secrets.randbelow(256)}.{secrets.randbelow(256)}"
        headers = {"X-Forwarded-For": peer}
        self.http = httpx.Client(
            base_url=base or stack.base_url, headers=headers, timeout=60, verify=False
        )

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def text(self, path: str) -> str:
        """The words of a page that opens, as a reader sees them."""
        page = self.get(path, follow_redirects=True)
        assert page.status_code == 200, (path, page.status_code)
        return words(page)

    def post(self, path: str, data: dict[str, Any] | None = None, **options: Any) -> httpx.Response:
        """Send a form with the token of `page` (default: the path itself); redirects are shown."""
        page = self.http.get(options.pop("page", path), follow_redirects=True)
        found = _TOKEN.search(page.text)
        assert found, f"no form on {page.url}: {page.status_code}"
        body = {**(data or {}), "csrfmiddlewaretoken": found.group(1)}
        return self.http.post(path, data=body, **options)

    def sign_up(self, organisation: str | None = None, password: str = PASSWORD) -> httpx.Response:
        data = {"email": self.email, "password1": password, "name": "Pat"}
        if organisation is not None:
            data["organisation"] = organisation
        return self.post("/account/signup/", data)

    def confirm(self) -> httpx.Response:
        """Follow the link of the newest mail to this address and press the button."""
        return self.post(path_in(self.mail("Confirm your e-mail address")))

    def sign_in(self, password: str = PASSWORD, **more: str) -> httpx.Response:
        data = {"login": self.email, "password": password, **more}
        return self.post("/account/login/", data)

    def sign_out(self) -> None:
        assert self.post("/account/logout/").status_code == 302

    def prove(self) -> None:
        """Give the password again, which changes of the account itself ask for."""
        done = self.post("/account/reauthenticate/", {"password": PASSWORD})
        assert done.status_code == 302, words(done)

    def set_up_second_factor(self) -> None:
        self.prove()
        page = self.get("/account/2fa/totp/activate/")
        assert page.status_code == 200, page.headers
        found = re.search(r'id="authenticator_secret"[^>]*value="([A-Z2-7]+)"', page.text)
        assert found
        self.secret = found.group(1)
        token = _TOKEN.search(page.text)
        assert token
        data = {"code": self.code(), "csrfmiddlewaretoken": token.group(1)}
        done = self.http.post("/account/2fa/totp/activate/", data=data)
        assert done.status_code == 302, words(done)

    def code(self, step: int = 0) -> str:
        """The authenticator's code now, or some steps of 30 s off (RFC 6238)."""
        counter = struct.pack(">Q", int(time.time()) // 30 + step)
        key = base64.b32decode(self.secret)
        digest = hmac.new(key, counter, hashlib.sha1).digest()
        offset = digest[-1] & 15
        value = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
        return f"{value % 1_000_000:06}"

    def mails(self, subject: str = "") -> list[str]:
        """The texts of the mails to this address, oldest first."""
        return [text for to, about, text in all_mails(self.stack) if to == self.email
                and subject in about]  # fmt: skip

    def mail(self, subject: str) -> str:
        return wait_for(f"a mail about {subject!r}", lambda: self.mails(subject), 10)[-1]


def settled(house: Stack, organisation: str) -> Visitor:
    """An owner who has signed up, confirmed their address and signed in."""
    person = Visitor(house)
    assert person.sign_up(organisation).status_code == 302
    assert person.confirm().status_code == 302
    assert person.sign_in().status_code == 302
    return person


def all_mails(stack: Stack) -> list[tuple[str, str, str]]:
    """Recipient, subject and text of every mail the install sent, oldest first."""
    folder = stack.data_dir / "mail"
    files = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime_ns)
    return [mail for file in files for mail in _read(file)]


def _read(file: Path) -> list[tuple[str, str, str]]:
    found = []
    for raw in file.read_bytes().split(b"-" * 79):
        if raw.strip():
            message = email.message_from_bytes(raw.strip(), policy=email.policy.default)
            body = message.get_body(("plain",))
            assert body is not None
            assert message.get_body(("html",)) is None
            found.append((str(message["To"]), str(message["Subject"]), body.get_content()))
    return found


def link_in(text: str) -> str:
    """The one link a mail asks to follow."""
    found: str = re.findall(r"https?://\S+/\S+", text)[0]
    return found


def path_in(text: str) -> str:
    return urlsplit(link_in(text)).path


def words(page: httpx.Response) -> str:
    """A page's text without its tags."""
    inside = re.sub(r"<(title|style|script).*?</\1>|<[^>]*>", " ", page.text, flags=re.S)
    return " ".join(html.unescape(inside).split())
