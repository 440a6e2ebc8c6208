"""Likes, dislikes, preferences, wishes, goals and habits of eating and drinking."""

from facts.extraction.grammar.nouns import CONTACT_CHANNELS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.vocabulary.verbs import VERBS, readings, third_person
from facts.vocabulary.words import words

_LIKE_STOPS = words("for like from that to")
_MANNER = words("how when if it that what being this seeing")
_PERSONAL_PRONOUNS = words("him her them it me us you this these those your")
_HOBBIES = words(
    """cook read swim paint dance travel hike draw write sing run bake garden knit camp fish ski
    climb cycle jog sew surf skate sail film sketch ride shop walk drive party exercise"""
)
_EMPTY_TASTES = words(
    """idea way thought fact look sound looks sounds feeling answer suggestion itinerary recipe
    concept point joke weekend mondays mornings going helping seeing being having doing getting"""
)


def activity(frame: Frame, at: int) -> list[Span]:
    """Reads "to cook" and "cooking" as an object: the -ing form with what belongs to it."""
    if at < frame.clause.end and frame.tokens[at].low == "to":
        base = next(
            (b for b, f in readings(frame.low(at + 1 - frame.clause.rest)) if f == "base"), ""
        )
        if not base or base in {"be", "say", "think", "know", "see"}:
            return []
        rest = frame.objects(at + 2, split=False)
        tail = f" {rest[0].text}" if rest and rest[0].start - frame.tokens[at + 1].end < 12 else ""
        if not tail and base not in _HOBBIES:
            return []
        end = rest[0].end if tail else frame.tokens[at + 1].end
        return [Span(VERBS[base].ing + tail, frame.tokens[at + 1].start, end)]
    return []


def _taste(frame: Frame, predicate: str, opposite: str) -> bool:
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


def _is_lasting(frame: Frame, at: int) -> bool:
    """Whether the object is a kind of thing and not what is just being talked about.

    "I love the dark sky", "I like that idea" and "like I said" are about the conversation.
    """
    first = frame.tokens[at]
    if first.low in _MANNER and first.low != "it":
        return False
    if first.low in {
        "i",
        "you",
        "we",
        "he",
        "she",
        "they",
        "your",
        "that",
        "this",
        "those",
        "these",
    }:
        return False
    if frame.subjects and frame.subjects[0].kind == "thing":
        return False
    if not frame.clause.subjects and not frame.clause.inherited and frame.verb.form == "base":
        if frame.verb.base == "like":
            return False
    if first.low == "the":
        return frame.starts_with_name(at + 1) or frame.starts_with_name(at + 2)
    return True


def like(frame: Frame) -> bool:
    return _taste(frame, "likes", "dislikes")


def dislike(frame: Frame) -> bool:
    return _taste(frame, "dislikes", "")


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


def avoid(frame: Frame) -> bool:
    return frame.state("avoids", frame.objects(frame.skip(), stops=words("for from because")))


def consume(frame: Frame) -> bool:
    """Reads "drinks coffee" is a habit; "doesn't eat pork" is `avoids`."""
    verb = frame.verb
    at = frame.skip()
    if verb.progressive and verb.time == "present":
        return False
    spans = frame.objects(at, stops=words("for in at with on from to out"))
    if not spans or verb.doubtful:
        return False
    predicate = third_person(verb.base)
    if frame.is_over:
        if not verb.negated or verb.base == "touch":
            return frame.add(predicate, spans, tense="past", move="end")
        return frame.add("avoids", spans)
    if verb.negated:
        return verb.time in {"present", "future"} and frame.add("avoids", spans)
    if verb.base == "touch" or verb.time != "present":
        return False
    return frame.add(predicate, spans)


def smoke(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("for in at with on from since"))
    if not spans or frame.verb.base == "vape":
        spans = [Span("cigarettes", frame.verb.start, frame.verb.end)]
    verb = frame.verb
    if verb.negated and verb.time == "perfect" and frame.dates:
        begun = frame.times("current", "state")[0]
        frame.add("smokes", spans, tense="past", move="end")
        frame.drafts[-1].valid_from, frame.drafts[-1].invalid_at = None, begun
        return True
    return frame.state("smokes", spans)


def wish(frame: Frame) -> bool:
    """Reads "wants to visit Japan", "would like a telescope", "need 8 chairs"."""
    verb = frame.verb
    if frame.is_over and verb.time != "past":
        spans = activity(frame, frame.skip()) or frame.objects(frame.skip())
        return frame.add("wants", spans, tense="past", move="end")
    if verb.time == "past" or (verb.doubtful and not verb.wish):
        return False
    at = frame.skip()
    if at >= frame.clause.end or frame.tokens[at].low in _ADDRESSED:
        return False
    if frame.tokens[at].low == "to":
        if frame.low(at + 1 - frame.clause.rest) not in (_DREAMS if verb.wish else _AIMS):
            return False
        if any(t.low in _TALKED_OF for t in frame.tokens[at : frame.clause.end]):
            return False
        spans = frame.objects(at + 1, split=False, stops=words(", and with"))
    else:
        spans = frame.objects(at, stops=words("to for from because"))
    if not spans or len(spans[0].text.split()) > 8:
        return False
    if verb.negated:
        return frame.tokens[at].low != "to" and frame.add("avoids", spans)
    return frame.add("wants", spans, tense="planned")


_ADDRESSED = words("you your it this that me us someone them my our the his her")
_TALKED_OF = words("it this that them you your these those")
_DREAMS = words("visit learn move travel live become buy adopt own study retire")
_AIMS = _DREAMS | words("get start build go lose change switch save quit stop write send run climb")


def rather(frame: Frame) -> bool:
    """Reads "I'd rather have async standups", "I'd rather get a text than a call"."""
    spans = frame.objects(frame.skip(), stops=words("than instead"))
    if not spans:
        return False
    if spans[0].text.casefold() in CONTACT_CHANNELS:
        return frame.add("prefers_contact", spans[:1])
    return frame.add("prefers", spans)


def cut(frame: Frame) -> bool:
    """Reads "cutting down on sugar", "cut out gluten"."""
    if frame.low() in {"down", "back"} and frame.low(1) == "on":
        return frame.add("avoids", frame.objects(frame.clause.rest + 2))
    if frame.low() == "out":
        return frame.add("avoids", frame.objects(frame.clause.rest + 1))
    return False


def attempt(frame: Frame) -> bool:
    """Reads "trying to cut down on dairy", "trying to avoid sugar"."""
    verb = frame.verb
    if not verb.progressive or verb.negated or verb.doubtful or frame.low() != "to":
        return False
    low = frame.low(1)
    at = frame.clause.rest + 2
    if low == "cut" and frame.low(2) in {"down", "back"} and frame.low(3) == "on":
        return frame.add("avoids", frame.objects(at + 2), "trying to cut down on")
    if low == "avoid":
        return frame.add("avoids", frame.objects(at), "trying to avoid")
    if low in {"learn", "lose", "become", "save", "build", "improve", "reach"}:
        return frame.add(
            "has_goal", frame.objects(at - 1, split=False), "trying to", confidence=0.6
        )
    return False


READINGS = {
    "like": like, "love": like, "enjoy": like, "adore": like,
    "hate": dislike, "dislike": dislike, "detest": dislike, "loathe": dislike, "despise": dislike,
    "try": attempt, "stand": stand, "bear": stand, "prefer": prefer, "avoid": avoid,
    "eat": consume, "drink": consume, "touch": consume, "smoke": smoke, "want": wish, "cut": cut,
}  # fmt: skip
