"""What somebody likes, dislikes, prefers."""

from facts.extraction.grammar.nouns import CONTACT_CHANNELS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.tastes.activities import activity
from facts.extraction.statements.tastes.wishes import wish
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

_LIKE_STOPS = words("for like from that to")


_MANNER = words("how when if it that what being this seeing")


_PERSONAL_PRONOUNS = words("him her them it me us you this these those your")


_EMPTY_TASTES = words(
    """idea way thought fact look sound looks sounds feeling answer suggestion itinerary recipe
    concept point joke weekend mondays mornings going helping seeing being having doing getting"""
)


def taste(frame: Frame, predicate: str, opposite: str) -> bool:
    at = frame.skip()
    if frame.verb.wish == "like":
        return wish(frame)
    verb = frame.verb
    if at >= frame.clause.end or verb.doubtful or not _is_lasting(frame, at):
        return False
    # "enjoying the evening" is of the moment; "never liked it" is told of the past.
    if (verb.progressive and verb.time == "present") or (verb.negated and verb.time == "past"):
        return False
    doing = any(form == "ing" for _, form in readings(frame.tokens[at].low))
    stops = words("like that") if doing else _LIKE_STOPS
    spans = activity(frame, at) or frame.objects(at, stops=stops)
    spans = [
        s
        for s in spans
        if s.text.casefold() not in _EMPTY_TASTES
        and not (set(s.text.casefold().split()) & _PERSONAL_PRONOUNS)
    ]
    if not spans:
        return False
    if frame.is_over:
        if frame.verb.negated and predicate == "likes":
            return frame.add("likes", spans, tense="past", move="end")
        return frame.add(predicate, spans, tense="past", move="end")
    if frame.verb.negated:
        if opposite:
            return frame.add(opposite, spans)
        return frame.add(predicate, spans, move="deny")
    # A taste told in the past is an experience; only one of something with a name stays.
    if frame.verb.time == "past":
        spans = [s for s in spans if s.text[:1].isupper()]
    return frame.verb.time != "future" and bool(spans) and frame.add(predicate, spans)


_POINTING = words("i you we he she they your that this those these his her their its")


def _is_lasting(frame: Frame, at: int) -> bool:
    """Whether the object is a kind of thing and not what is just being talked about.

    "I love the dark sky", "I like that idea" and "like I said" are about the conversation.
    """
    first = frame.tokens[at]
    if first.low in _MANNER and first.low != "it":
        return False
    if first.low in _POINTING:
        return False
    if frame.subjects and frame.subjects[0].kind == "thing":
        return False
    clipped = not frame.clause.subjects and not frame.clause.inherited
    if clipped and frame.verb.form == "base" and frame.verb.base == "like":
        return False
    if first.low == "the":
        return frame.starts_with_name(at + 1) or frame.starts_with_name(at + 2)
    return True


def like(frame: Frame) -> bool:
    return taste(frame, "likes", "dislikes")


def dislike(frame: Frame) -> bool:
    return taste(frame, "dislikes", "")


def stand(frame: Frame) -> bool:
    """Reads "can't stand X"."""
    if not frame.verb.negated or frame.low() in {"for", "up", "out", "in", "with", "by"}:
        return False
    spans = frame.objects(frame.skip(), stops=_LIKE_STOPS)
    spans = [_without(span, ("smell of ", "taste of ", "sight of ", "sound of ")) for span in spans]
    return bool(spans) and frame.add("dislikes", spans)


def _without(span: Span, leads: tuple[str, ...]) -> Span:
    for lead in leads:
        if span.text.casefold().startswith(lead):
            return Span(span.text[len(lead) :], span.start + len(lead), span.end)
    return span


def prefer(frame: Frame) -> bool:
    """Reads "prefers X over Y", "prefers to be called by phone", "prefers email"."""
    if frame.verb.doubtful:
        return False
    at = frame.skip()
    not_at = frame.after("not")
    spans = activity(frame, at) or frame.objects(
        at, stops=words("over to than rather because for instead not")
    )
    if not spans:
        return False
    if frame.is_over or frame.verb.negated:
        return frame.state("prefers", spans)
    first = spans[0].text.casefold()
    head = first.split()[0]
    channel = head in CONTACT_CHANNELS and (len(first.split()) == 1 or _is_contact(first))
    if channel:
        text = spans[0].text.split()[0]
        spans = [Span(text, spans[0].start, spans[0].start + len(text)), *spans[1:]]
        spans = [s for s in spans if s.text.casefold() in CONTACT_CHANNELS]
    frame.add("prefers_contact" if channel else "prefers", spans)
    denied = frame.objects(not_at) if not_at else []
    if denied and channel:
        frame.add("prefers_contact", denied, move="deny")
    return True


def _is_contact(text: str) -> bool:
    return text.rsplit(maxsplit=1)[-1] in words(
        "follow-ups contact updates communication messages only replies"
    )


def rather(frame: Frame) -> bool:
    """Reads "I'd rather have tea", "I'd rather get a letter than a call"."""
    spans = frame.objects(frame.skip(), stops=words("than instead"))
    if not spans:
        return False
    if spans[0].text.casefold() in CONTACT_CHANNELS:
        return frame.add("prefers_contact", spans[:1])
    return frame.add("prefers", spans)
