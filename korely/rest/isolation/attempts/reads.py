"""Everything that lists, searches or tells, asked in every way it can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from accounts.models import ApiKey, Project
from korely.http import fields
from korely.kernel.caller import ADMIN
from korely.rest.isolation import rows
from korely.rest.isolation.evidence import Hidden, send
from korely.rest.isolation.ground import Ground, Owner, words_of
from korely.rest.isolation.report import NotTried, Report
from korely.rest.isolation.samples import NAMES, parts, sample
from korely.rest.isolation.surface import Call, calls, pages
from korely.rest.isolation.wire import Answer, Client

PART = "reads"
PAST, TO_COME = "2000-01-01", "2100-01-01"


@dataclass(frozen=True, slots=True)
class Attacker:
    """A key, what it must not see, and the end user it names where it has to name one."""

    told: str
    client: Client
    hidden: Hidden
    user: str
    confined: bool = False
    briefly: bool = False  # asks for all there is and by names alone


def attempt(ground: Ground, report: Report) -> None:
    """Every read that names no object, and every page."""
    everything = _at_home(ground)
    now: list[tuple[str, partial[str | None]]] = []
    later: list[tuple[str, partial[str | None]]] = []
    for call in calls():
        if not call.reads or call.segments:
            continue
        if call.wanted.scope is not None:
            report.try_out(
                PART, f"{call} by its owner shows it", partial(_control, ground, call, everything)
            )
        for attacker in _attackers(ground, call):
            for how, values in _ways(call, ground.one, attacker):
                told = f"{call}{how} by {attacker.told}"
                # Whoever named somebody finds the name in their own audit log: names go last.
                when = later if set(values) & set(NAMES) else now
                when.append((told, partial(_read, call, attacker, values)))
    for told, run in now + later:
        report.try_out(PART, told, run)
    for path in pages():
        report.try_out(PART, f"GET {path} with a key", partial(_page, ground, path, everything))


def _attackers(ground: Ground, call: Call) -> list[Attacker]:
    of_account = _of_account(ground)
    user = str(ground.one.user)
    foreign = Attacker("a key of another account", ground.foreign.client, of_account, user)
    if call.wanted.scope == ADMIN:
        return [foreign]
    others = rows.ids_of(ground.home.project_id, but_of=user) | rows.ids_of(
        ground.sibling.project_id
    )
    out_of_reach = Hidden(others, words_of(ground.owners[1:]))
    near = Hidden(rows.ids_of(ground.home.project_id), words_of(ground.owners[:3]))
    return [
        foreign,
        Attacker("a key of another project", ground.sibling.client, near, user, briefly=True),
        Attacker("a key confined to one", ground.keys["exact"], out_of_reach, user, True),
        Attacker(
            "a key confined to a prefix", ground.keys["prefix"], out_of_reach, user, True, True
        ),
    ]


def _at_home(ground: Ground) -> Hidden:
    """What the owner of the attacked project sees."""
    return Hidden(
        rows.ids_of(ground.home.project_id) | _of_account(ground).ids, words_of(ground.owners[:3])
    )


def _of_account(ground: Ground) -> Hidden:
    """All of account A, its keys and projects included."""
    organisation = ground.home.organisation_id
    found = rows.ids_of(ground.home.project_id) | rows.ids_of(ground.sibling.project_id)
    for model in (ApiKey, Project):
        known = model.objects.filter(organisation_id=organisation).values_list("id", flat=True)
        found |= {one.hex for one in known}
    return Hidden(found, words_of(ground.owners[:4]))


def _ways(call: Call, owner: Owner, attacker: Attacker) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each way to ask: all there is, then one field more at a time."""
    found = parts(call.shape)
    base: dict[str, Any] = {}
    for name, field in found.items():
        if isinstance(field, fields.Integer) and name == "limit":
            base[name] = str(field.most) if call.where == "query" else field.most
        elif isinstance(field, fields.Boolean) and name.startswith("include_"):
            base[name] = "true" if call.where == "query" else True
        elif field.required:
            base[name] = attacker.user if name == "user_id" else owner.topic
    yield "", base
    for name, field in found.items():
        if name in base and not isinstance(field, fields.Boolean):
            continue
        if attacker.confined and name == "user_id":
            continue  # naming another is refused: attempted apart
        if attacker.briefly and name not in NAMES:
            continue
        for value in _values(call, name, field, owner):
            how = f" with {name}"
            if isinstance(field, fields.Word | fields.Words):
                how += f" {value}" if isinstance(value, str) else f" {','.join(value)}"
            yield how, {**base, name: value}


def _values(call: Call, name: str, field: Any, owner: Owner) -> list[Any]:
    known: dict[str, Any] = {
        "user_id": owner.user,
        "agent_id": owner.agent,
        "run_id": owner.run,
        "subject": owner.subject,
        "entity": owner.subject,
        "predicate": "likes",
        "predicate_family": "preferences",
        "action": "write",
        "since": PAST,
    }
    if name in known:
        return [known[name]]
    match field:
        case fields.Boolean():
            flipped = not name.startswith("include_")
            return [str(flipped).lower() if call.where == "query" else flipped]
        case fields.Word():
            return list(field.words)
        case fields.Words():
            return [[one] for one in field.words] + [list(field.words)]
        case fields.MetadataFilter():
            return [{"topic": owner.topic}]
        case fields.Instant():
            return [TO_COME]
        case fields.Text():
            return [owner.topic]
    return []


def _read(call: Call, attacker: Attacker, values: dict[str, Any]) -> str | None:
    answer = send(attacker.client, call, {}, sample(call, **values))
    problem = attacker.hidden.shown_in(answer) or _more_than_shown(answer)
    if problem is None and answer.status != 200:
        raise NotTried(f"the server answers {answer.status}")
    return problem


def _more_than_shown(answer: Answer) -> str | None:
    """A count that tells of more than the list beside it, which is asked for whole."""
    body = answer.json()
    lists = [value for value in body.values() if isinstance(value, list)]
    total = body.get("total")
    if isinstance(total, int) and len(lists) == 1 and total > len(lists[0]):
        return "total counts more than is listed"
    return None


def _control(ground: Ground, call: Call, everything: Hidden) -> str | None:
    """The owner sees there what others must not, or their not seeing it would mean nothing."""
    owner = Attacker("its owner", ground.home.client, everything, str(ground.one.user))
    _, values = next(_ways(call, ground.one, owner))
    answer = send(owner.client, call, {}, sample(call, **values))
    if answer.status != 200 or everything.shown_in(answer) is None:
        raise NotTried(f"the server answers {answer.status} and nothing of it")
    return None


def _page(ground: Ground, path: str, everything: Hidden) -> str | None:
    """Documents and people's pages show nothing of what a key belongs to."""
    answer = ground.home.client.send("GET", path)
    if answer.status >= 500:
        raise NotTried(f"the server answers {answer.status}")
    return everything.shown_in(answer)
