"""A key in words, as the list and its own page show it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accounts.key_selectors import EXPIRES_SOON
from accounts.models import ApiKey
from korely.kernel.caller import ADMIN, READ, SCOPES, WRITE
from korely.kernel.clock import now

_WORDS = {READ: "read", WRITE: "write", ADMIN: "administer"}

MOST_SHOWN = 3  # patterns of a confined key in the list


@dataclass(frozen=True, slots=True)
class Reach:
    """Whom a key reaches: a phrase, the patterns behind it, and how many more there are."""

    phrase: str
    patterns: Sequence[str] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Badge:
    """A state in a word, and how it is coloured."""

    word: str
    kind: str


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key and what is told of it beside its columns."""

    key: ApiKey
    scopes: str
    reach: Reach
    badge: Badge
    maker: str


def rows_of(keys: Sequence[ApiKey], makers: Mapping[uuid.UUID, str]) -> list[KeyRow]:
    return [row_of(key, makers, most=MOST_SHOWN) for key in keys]


def row_of(key: ApiKey, makers: Mapping[uuid.UUID, str], *, most: int | None = None) -> KeyRow:
    """`most`: how many patterns of a confined key are shown; None shows all."""
    return KeyRow(
        key, in_words(key.scopes), reach_of(key.users, most), badge_of(key), maker_of(key, makers)
    )


def in_words(scopes: Sequence[str]) -> str:
    """`Read and write`, `Read only`, `Administer only`."""
    words = [_WORDS[scope] for scope in SCOPES if scope in scopes]
    if len(words) == 1:
        return f"{words[0].capitalize()} only"
    return f"{', '.join(words[:-1])} and {words[-1]}".capitalize()


def reach_of(users: Sequence[str] | None, most: int | None = None) -> Reach:
    """Everyone, nobody, or the end users that a key is confined to."""
    if users is None:
        return Reach("Every end user")
    if not users:
        return Reach("Nobody")
    exact = sum(not pattern.endswith("*") for pattern in users)
    parts = [_counted(exact, "end user"), _counted(len(users) - exact, "prefix")]
    shown = users[:most]
    return Reach(" and ".join(part for part in parts if part), shown, len(users) - len(shown))


def badge_of(key: ApiKey) -> Badge:
    """What a key's state is, and what is about to become of it."""
    if key.state == "revoked":
        return Badge("Revoked", "bad")
    if key.state == "expired":
        return Badge("Expired", "")
    if key.replaced_by is not None:
        return Badge("Rotated", "info")
    if key.expires_at is not None and key.expires_at <= now() + EXPIRES_SOON:
        return Badge("Expires soon", "warn")
    return Badge("Live", "ok")


def maker_of(key: ApiKey, makers: Mapping[uuid.UUID, str]) -> str:
    """A person's address or a key's name; a phrase where nobody is known."""
    if key.created_by is None:
        return "the installation"
    return makers.get(key.created_by, "someone who is gone")


def _counted(number: int, noun: str) -> str:
    if not number:
        return ""
    plural = f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"1 {noun}" if number == 1 else f"{number} {plural}"
