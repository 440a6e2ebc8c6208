"""The notation in which training texts are written: one text a line.

    tags :: I used to live in [Rome#city|lives_in|past], now my sister {Anna#woman} does.

`[words#kind|predicate|…]` marks an object. Behind the predicate, in any order: `past` or `planned`
(else current), `s:<words>` for the subject as it stands in the text (else the end user), `deny`,
`replaced`, `optional`, `from=` and `until=` with a day; `=value` straight behind the predicate when
the fact's object is not the words themselves. `#kind` names words that others of their kind may
replace, and `{words#kind}` marks such words that are no object. Line breaks are `\\n`, literal
brackets and braces take a backslash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from facts.extraction.tagger.reading import ARTICLE, OWN
from facts.extraction.training.rows import Filler, Marked, Place, Row
from facts.vocabulary import TABLE, canonical

_MARK = re.compile(r"\\([\[\]{}])|\[([^\[\]{}]*)\]|\{([^\[\]{}]*)\}")
_STRAY = re.compile(r"[\[\]{}]")
_KIND = re.compile(r"(.+)#([a-z_]+)", re.S)
_PREDICATE = re.compile(r"[a-z][a-z_]*")
_DAY = re.compile(r"(from|until)=(\d{4}-\d\d-\d\d)")
_LABEL = re.compile(r"(?:\[[^\]]*\][ \t]*)?([A-Z][\w.\-]*(?: [A-Z][\w.\-]*)?):[ \t]")
_USER = frozenset({"user", "human", "me"})


class Malformed(ValueError):
    """A line that is not in the notation; says where."""


@dataclass(slots=True)
class _Text:
    """The text as it is put together, marks taken out."""

    whole: str = ""

    def put(self, words: str) -> Place:
        begin = len(self.whole)
        self.whole += words
        return begin, len(self.whole)


def read_marked(line: str, *, name: str) -> Row:
    """The row of a line in the notation; `name` becomes its id. Raises Malformed."""
    tags, found, body = line.partition(" :: ")
    if not found:
        raise Malformed("no ' :: ' between tags and text")
    source = body.strip().replace("\\n", "\n")
    text = _Text()
    bodies: list[tuple[list[str], Place]] = []
    fillers: list[Filler] = []
    at = 0
    for match in _MARK.finditer(source):
        _plain(text, source[at : match.start()])
        at = match.end()
        if match.group(1):
            text.put(match.group(1))
            continue
        is_object = match.group(2) is not None
        words, *parts = (match.group(2) if is_object else match.group(3)).split("|")
        kind = _KIND.fullmatch(words)
        place = text.put(_trimmed(kind.group(1) if kind else words))
        if kind:
            fillers.append(Filler(place, kind.group(2)))
        if is_object is not bool(parts) or not (is_object or kind):
            raise Malformed(f"{match.group()!r} is neither an object nor a filler")
        if is_object:
            bodies.append((parts, place))
    _plain(text, source[at:])
    marks = tuple(_mark(parts, place, text.whole) for parts, place in bodies)
    row = Row(name, text.whole, tuple(tags.split()), marks, tuple(fillers))
    if "none" in row.tags and any(mark.sense != "denied" for mark in marks):
        raise Malformed("tagged none, yet it marks a fact")
    return row


def _plain(text: _Text, words: str) -> None:
    if _STRAY.search(words):
        raise Malformed(f"a stray bracket near {words[:40]!r}")
    text.put(words)


def _trimmed(words: str) -> str:
    if not words or words != words.strip():
        raise Malformed(f"blank space at the edge of {words!r}")
    return words


def _mark(parts: list[str], place: Place, text: str) -> Marked:
    predicate, _, value = parts[0].partition("=")
    if not _PREDICATE.fullmatch(predicate):
        raise Malformed(f"{predicate!r} is no predicate")
    sense, subject, days, optional = "current", None, {}, False
    for part in parts[1:]:
        day = _DAY.fullmatch(part)
        if part in {"past", "planned"}:
            sense = part if sense == "current" else sense
        elif part in {"deny", "replaced"}:
            sense = {"deny": "denied"}.get(part, part)
        elif part == "optional":
            optional = True
        elif part.startswith("s:"):
            subject = part[2:].strip()
        elif day:
            days[day.group(1)] = day.group(2)
        elif part != "current":
            raise Malformed(f"{part!r} is none of the parts of a mark")
    about = _about(subject, place, text) if subject else None
    return Marked(
        predicate=canonical(predicate) if canonical(predicate) in TABLE else predicate,
        object=value or text[place[0] : place[1]],
        subject=_subject(text, about) if about else "user",
        sense=sense,
        place=place,
        about=about,
        valid_from=days.get("from"),
        invalid_at=days.get("until"),
        optional=optional,
    )


def _about(subject: str, place: Place, text: str) -> Place:
    """Where the subject's words stand: the nearest before the object, else the first behind it."""
    # A name may carry an ending ("Annikas Hund"); whole words come first.
    found = _places(rf"(?<!\w){re.escape(subject)}(?!\w)", place, text) or _places(
        rf"(?<!\w){re.escape(subject)}", place, text
    )
    if not found:
        raise Malformed(f"the subject {subject!r} is not in the text")
    before = [one for one in found if one[1] <= place[0]]
    return before[-1] if before else found[0]


def _places(pattern: str, apart_from: Place, text: str) -> list[Place]:
    return [
        match.span()
        for match in re.finditer(pattern, text, re.I)
        if not (match.start() < apart_from[1] and apart_from[0] < match.end())
    ]


def _subject(text: str, about: Place) -> str:
    """The subject as a fact names it: "my sister" is the user's, or the line's speaker's."""
    words = text[about[0] : about[1]]
    own = OWN.match(words)
    if own:
        line = text[text.rfind("\n", 0, about[0]) + 1 :]
        label = _LABEL.match(line)
        owner = label.group(1) if label and label.group(1).casefold() not in _USER else "user"
        return f"{owner}'s {words[own.end() :]}"
    if words.casefold() in _USER:
        return "user"
    return ARTICLE.sub("", words, count=1) if ARTICLE.match(words) else words
