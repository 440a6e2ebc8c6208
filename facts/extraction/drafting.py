"""From drafts to candidates: canonical predicates, literals, subject types, evidence."""

import re
from collections.abc import Sequence
from datetime import datetime

from facts.extraction.candidate import Candidate
from facts.extraction.grammar.nouns import COLOURS
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.draft import Draft, midnight
from facts.vocabulary import canonical

_LITERAL_PREDICATES = frozenset(
    "salary budget price age email phone scheduled_for deadline born_on started_on ended_on "
    "time_zone "
    "released_on gender pronouns blood_type".split(" ")
)
_NUMBER = re.compile(r"[$\u20ac\u00a3\u00a5~]?\d[\d.,:/%\- ]*[\w\u20ac$\u00a3%]{0,8}")
_COMPANY = re.compile(
    r"\b(?:gmbh|inc|ltd|llc|corp|ag|labs|foods|systems|analytics|software|bank|co)\b\.?$", re.I
)
MAX_OBJECT = 500
MAX_SUBJECT = 200
_PERSONAL = frozenset(
    "lives_in born_in works_as studies has_spouse has_partner has_child has_parent has_sibling "
    "allergic_to diet likes dislikes age speaks has_manager takes_medication knows has_name".split(
        " "
    )
)


def finish(
    drafts: Sequence[Draft], text: str, *, user: str, names: Sequence[str], observed_at: datetime
) -> list[Candidate]:
    """The candidates of `drafts`; what is not within the bounds of a fact is left out."""
    own = {name.casefold() for name in names} | {user.casefold()}
    found: list[Candidate] = []
    for draft in drafts:
        candidate = _finish(draft, text, user, own, observed_at)
        if candidate is not None:
            found.append(candidate)
    return found


def _finish(
    draft: Draft, text: str, user: str, own: set[str], observed_at: datetime
) -> Candidate | None:
    subject, kind = _subject(draft.subject, draft.predicate, user, own)
    value = draft.object.strip().strip("\"'\u201c\u201d\u2018\u2019*`").strip()
    if not value or not subject or len(value) > MAX_OBJECT or len(subject) > MAX_SUBJECT:
        return None
    if "\x00" in value or "\x00" in subject:
        return None
    predicate = canonical(draft.predicate)
    begin = max(0, min(draft.start, len(text)))
    end = max(begin, min(draft.end, len(text)))
    if value.casefold() == subject.casefold() and predicate != "has_name":
        return None
    return Candidate(
        subject=subject,
        subject_type=kind,
        predicate=predicate,
        predicate_raw=draft.raw.strip()[:MAX_SUBJECT] or predicate,
        object=value,
        object_is_literal=_is_literal(predicate, value),
        tense=draft.tense,
        valid_from=midnight(draft.valid_from),
        invalid_at=midnight(draft.invalid_at),
        observed_at=observed_at,
        move=draft.move,
        replaces=tuple(r.strip() for r in draft.replaces if r.strip()),
        confidence=draft.confidence,
        span=(begin, end),
    )


def _subject(subject: Subject, predicate: str, user: str, own: set[str]) -> tuple[str, str]:
    name = subject.name.strip()
    if subject.kind == "self" and subject.person_type == "self":
        return user, "self"
    if name.casefold() in own:
        return user, "self"
    if subject.person_type not in {"unknown", "self"}:
        return name, subject.person_type
    if subject.kind in {"thing", "pet"}:
        return name, "unknown"
    if _COMPANY.search(name):
        return name, "organization"
    return name, "person" if predicate in _PERSONAL and subject.kind == "name" else "unknown"


def _is_literal(predicate: str, value: str) -> bool:
    return (
        predicate in _LITERAL_PREDICATES
        or _NUMBER.fullmatch(value) is not None
        or "@" in value
        or (predicate.endswith("_color") or value.casefold() in COLOURS)
    )
