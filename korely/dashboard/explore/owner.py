"""Whose memories a page is about, as its address says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, QueryDict

from korely.http.fields import Identifier
from korely.http.shapes import Shape, check
from korely.kernel.errors import Refusal


class _Named(Shape):
    user_id = Identifier(segment=True, required=False)
    agent_id = Identifier(segment=True, required=False)


@dataclass(frozen=True, slots=True)
class Owner:
    """An end user; `nobody`: what belongs to none of them; neither: everyone.

    An id stands in the query, percent-encoded: it may hold whatever a path would be split at.
    """

    user_id: str | None = None
    nobody: bool = False

    @property
    def is_anyone(self) -> bool:
        return self.user_id is None and not self.nobody

    @property
    def query(self) -> str:
        """The parameters that say so in an address."""
        return urlencode(self.fields)

    @property
    def fields(self) -> dict[str, str]:
        """The same as fields of a form."""
        if self.user_id is not None:
            return {"user": self.user_id}
        return {"nobody": "1"} if self.nobody else {}


def read_owner(sent: QueryDict) -> Owner:
    """`?user=`, `?nobody=1` or nothing. Raises Http404 for an id that nothing could have."""
    user = sent.get("user")
    if user is not None:
        return Owner(_id(user_id=user))
    return Owner(nobody=sent.get("nobody") == "1")


def read_user(sent: QueryDict) -> str:
    """The end user that `?user=` names. Raises Http404 where it names none."""
    return _id(user_id=sent.get("user", ""))


def read_agent(sent: QueryDict) -> str:
    """The agent that `?agent=` names. Raises Http404 where it names none."""
    return _id(agent_id=sent.get("agent", ""))


def _id(**named: Any) -> str:
    try:
        (found,) = check(_Named, named, "query").values()
    except Refusal:
        raise Http404 from None
    return str(found)
