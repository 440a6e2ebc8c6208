"""Who is called what: "I'm Joan", "my corgi is called Bolt", "Ada is my niece"."""

import re

from facts.extraction.grammar.lexicon import PREPOSITIONS
from facts.extraction.grammar.names import read_name
from facts.extraction.grammar.nouns import ANIMALS, RELATIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.being.things import named, snake
from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words


def naming(frame: Frame, at: int, low: str) -> bool:
    """Reads "I'm Joan", "my corgi is called Bolt", "my boss is Ada"."""
    if not frame.subjects or frame.verb.negated or frame.verb.time == "past":
        return False
    subject = frame.subjects[0]
    called = low in {"called", "named"}
    name = read_name(frame.tokens, at + called)
    if name is None or name > frame.clause.end:
        return False
    span = Span(
        frame.words(at + called, name), frame.tokens[at + called].start, frame.tokens[name - 1].end
    )
    if subject.kind in {"thing", "name"} and not called:
        return _role_is(frame, subject, span)
    if subject.kind == "self" and (
        called or name >= frame.clause.end or frame.tokens[name].low in {",", "and", "from"}
    ):
        if frame.me.name and not _is_place_like(frame, at):
            return frame.add("has_name", [span], "is")
        return False
    if subject.kind in {"relation", "pet"}:
        return frame.add(
            _relation_predicate(subject),
            _and_names(frame, at + called, span),
            "is",
            subjects=[_owner(frame, subject)],
        )
    if called and subject.kind == "thing":
        return False
    return False


_ROLE_HEADS = words(
    """owner lead maintainer reviewer contact champion approver sponsor organizer organiser ceo
    cto cfo coo"""
)


def _role_is(frame: Frame, subject: Subject, span: Span) -> bool:
    """Reads "the project sponsor is Joan Hale", "owner of the search service is Ada"."""
    noun = subject.name.rpartition("'s ")[2]
    head, _, target = noun.partition(" of ")
    if not head or head.casefold().split()[-1] not in _ROLE_HEADS:
        return False
    who = Subject("name", span.text, span.start, span.end, person_type="person")
    target = re.sub(r"^(?:the|a|an|our|my) ", "", target, flags=re.I)
    if target and head.casefold() in {"owner", "lead", "maintainer"}:
        value = Span(target, subject.start, subject.end)
        return frame.add("manages", [value], "is owner of", subjects=[who])
    return frame.add("works_as", [Span(head, subject.start, subject.end)], "is", subjects=[who])


def _is_place_like(frame: Frame, at: int) -> bool:
    return frame.tokens[at].low in PREPOSITIONS or frame.clause.end - at > 6


def _and_names(frame: Frame, at: int, first: Span) -> list[Span]:
    spans = frame.objects(at, names=True)
    return [s for s in spans if s.text[:1].isupper()] or [first]


def _relation_predicate(subject: Subject) -> str:
    relation = RELATIONS.get(subject.noun)
    return relation.predicate if relation else "has_pet"


def _owner(frame: Frame, subject: Subject) -> Subject:
    owner = subject.name.rpartition("'s ")[0]
    return frame.me if owner == frame.me.name else named(subject, owner)


def relation_of(frame: Frame, at: int, low: str) -> bool:
    """Reads "Ada is my niece", "Joan is my boss"."""
    if low not in {"my", "our", "his", "her"} or not frame.subjects:
        return False
    subject = frame.subjects[0]
    index = at + 1
    while index < frame.clause.end and frame.tokens[index].low in words(
        "new old best younger older big little favourite favorite"
    ):
        index += 1
    if index >= frame.clause.end or subject.kind != "name" or low in {"his", "her"}:
        return False
    if frame.tokens[index - 1].low in {"favourite", "favorite"}:
        spans = frame.objects(index, stops=words("in of at for"))
        name = Span(subject.name, subject.start, subject.end)
        return bool(spans) and frame.add(
            f"favorite_{snake(spans[0].text.casefold())}",
            [name],
            "is my favorite",
            subjects=[frame.me],
        )
    noun = frame.tokens[index].low
    relation = RELATIONS.get(noun)
    predicate = relation.predicate if relation else "has_pet" if noun in ANIMALS else ""
    owned = index + 1 < frame.clause.end and frame.tokens[index + 1].low == "'s"
    if not predicate or owned:
        return False
    sense = frame.tense_and_move("state")
    if sense is None:
        return False
    names = [Span(s.name, s.start, s.end) for s in frame.subjects]
    return frame.add(
        predicate, names, f"is my {noun}", tense=sense[0], move=sense[1], subjects=[frame.me]
    )
