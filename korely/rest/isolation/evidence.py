"""How a leak shows: in what an answer holds, in how two answers differ, in what changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from korely.rest.isolation import rows
from korely.rest.isolation.ground import Site, id_of_nothing
from korely.rest.isolation.report import NotTried
from korely.rest.isolation.samples import sample
from korely.rest.isolation.surface import Call
from korely.rest.isolation.wire import Answer, Client

_HEX = re.compile(r"[0-9a-f]{32}")
_VOLATILE = re.compile(r"aud_[0-9a-f]{32}|\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class Hidden:
    """What an answer must not hold: ids of rows (32 hex digits), words of texts and names."""

    ids: frozenset[str]
    words: frozenset[str]

    def shown_in(self, answer: Answer) -> str | None:
        """What of it an answer holds that was not sent; None when it holds nothing."""
        whole = answer.text.lower()
        found = {*_HEX.findall(whole), *_HEX.findall(whole.replace("-", ""))} & self.ids
        sent = answer.sent.lower().replace("-", "")
        if any(one not in sent for one in found):
            return "the answer holds an id of another owner"
        if any(word in answer.text and word not in answer.sent for word in self.words):
            return "the answer holds a text or a name of another owner"
        return None


@dataclass(frozen=True, slots=True)
class Aim:
    """What one call is made on: objects by kind in its path, and the values it takes."""

    objects: Mapping[str, str]
    values: Mapping[str, Any]

    def plain(self, text: str) -> str:
        """An answer without what was sent, without ids of audit events and without instants."""
        for one in sorted(_texts([self.objects, self.values]), key=len, reverse=True):
            text = text.replace(one, "·")
        return _VOLATILE.sub("·", text)


def at(call: Call, objects: Mapping[str, str], **given: Any) -> Aim:
    """An aim at the objects that the path names, with the fewest other values."""
    return Aim({kind: objects[kind] for kind in call.kinds}, sample(call, **given))


def at_nothing(call: Call, **given: Any) -> Aim:
    """The same at ids that nothing has."""
    return at(call, {kind: id_of_nothing(kind) for kind in call.kinds}, **given)


def send(
    client: Client, call: Call, objects: Mapping[str, str], values: Mapping[str, Any]
) -> Answer:
    """Make a call on objects by kind."""
    path = call.path(objects)
    if call.where == "body":
        return client.send(call.method, path, body=values)
    return client.send(call.method, path, query=values)


def require_kinds(call: Call, known: Mapping[str, str]) -> None:
    """Raises NotTried for a route that names a kind of object that nobody was given."""
    for kind in call.kinds:
        if kind not in known:
            raise NotTried(f"no {kind} is made to be attacked")


def difference(client: Client, call: Call, target: Aim, nothing: Aim) -> tuple[Answer, str | None]:
    """The answer about what is somebody else's, and how it differs from that about nothing."""
    answer, other = (send(client, call, aim.objects, aim.values) for aim in (target, nothing))
    if answer.status >= 500 or other.status >= 500:
        raise NotTried(f"the server answers {max(answer.status, other.status)}")
    if answer.status != other.status:
        return answer, f"{answer.status}, and {other.status} to an id that nothing has"
    if target.plain(answer.text) != nothing.plain(other.text):
        return answer, "another answer than to an id that nothing has"
    return answer, None


def unchanged(
    sites: Iterable[Site], attempt: Callable[[], str | None], *, audit: bool = True
) -> str | None:
    """Run an attempt; what it leaked, or that rows of these projects are not what they were."""
    watched = [(site.project_id, site.organisation_id) for site in sites]
    before = [rows.state_of(*one, audit=audit) for one in watched]
    problem = attempt()
    after = [rows.state_of(*one, audit=audit) for one in watched]
    return problem or ("something of the other owner's changed" if after != before else None)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
