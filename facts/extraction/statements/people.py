"""Family, partners, friends and pets."""

from facts.extraction.grammar.names import names_after, read_name
from facts.extraction.grammar.nouns import ANIMALS, RELATIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.places import DWELLINGS, places
from facts.vocabulary.words import words

AGES = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split(
            " "
        ),
        1,
    )
}


def named_one(frame: Frame, begin: int) -> list[Span]:
    if read_name(frame.tokens, begin) is None:
        return []
    return [
        s
        for s in frame.objects(begin, names=True, stops=words("in at on with for"))
        if s.text[:1].isupper()
    ][:1]


def partner(frame: Frame) -> bool:
    """Reads "dating X", "married X", "got married to X"."""
    verb = frame.verb
    at = frame.skip()
    if frame.low() == "to":
        at += 1
    spans = named_one(frame, at) if at < frame.clause.end else []
    if not spans:
        return False
    if verb.base == "date":
        return frame.state("has_partner", spans, "dating")
    return frame.event("has_spouse", spans, "married")


def split_up(frame: Frame) -> bool:
    """Reads "broke up with X", "X and I split up", "divorced X"."""
    verb = frame.verb
    if verb.negated or verb.doubtful or verb.time not in {"past", "perfect"}:
        return False
    predicate = "has_spouse" if verb.base == "divorce" else "has_partner"
    others = [s for s in frame.subjects if s.kind == "name"]
    if (
        (frame.low() == "up" or verb.base == "separate")
        and others
        and any(s.kind == "self" for s in frame.subjects)
    ):
        spans = [Span(s.name, s.start, s.end) for s in others]
        return frame.add(
            predicate, spans, "broke up", tense="past", move="end", subjects=[frame.me]
        )
    begin = (
        frame.after("with")
        if frame.low() == "up"
        else frame.skip()
        if verb.base == "divorce"
        else None
    )
    spans = named_one(frame, begin) if begin is not None and begin < frame.clause.end else []
    return frame.add(predicate, spans, "broke up with", tense="past", move="end")


def adopt(frame: Frame) -> bool:
    """Reads "adopted two corgis, Bolt and Nut"; `has_pet` for animals only."""
    return pets_or_children(frame, frame.skip())


def pets_or_children(frame: Frame, at: int) -> bool:
    """Reads "have two kids, Ada and Joan", "got a corgi called Bolt", "keeps 9 ducks"."""
    found = counted_noun(frame, at)
    if found is None:
        return False
    index, predicate = found
    names, _ = names_after(frame.tokens, index + 1)
    spans = [Span(text, start, end) for text, start, end in names if end <= _end(frame)]
    event = frame.verb.base in {"get", "adopt", "buy", "rescue"}
    if spans:
        done = frame.event(predicate, spans) if event else frame.state(predicate, spans)
        noun = frame.tokens[index].low
        if done and noun.endswith("-year-old") and len(spans) == 1:
            child = Subject("name", spans[0].text, spans[0].start, spans[0].end)
            age = Span(AGES.get(noun[:-9], noun[:-9]), spans[0].start, spans[0].end)
            frame.add("age", [age], noun, subjects=[child], dated=False)
        return done
    if predicate not in {"has_child", "has_pet"} or (frame.verb.time == "past" and not event):
        return False
    listed = _listed(frame, at, predicate)
    if len(listed) > 1:
        return frame.event(predicate, listed) if event else frame.state(predicate, listed)
    text = frame.words(_after_article(frame, at), index + 1)
    span = Span(text, frame.tokens[at].start, frame.tokens[index].end)
    return frame.event(predicate, [span]) if event else frame.state(predicate, [span])


def _listed(frame: Frame, at: int, predicate: str) -> list[Span]:
    """Reads "9 ducks and a llama": each item that is of the same kind."""
    return [
        span
        for span in frame.objects(at, stops=words("in at with on for from who named called"))
        if (noun := span.text.casefold().split()[-1])
        and (
            noun in ANIMALS
            or noun.removesuffix("s") in ANIMALS
            or (noun in RELATIONS and RELATIONS[noun].predicate == predicate)
        )
    ]


def _end(frame: Frame) -> int:
    # A name in apposition may stand behind the comma that ends the clause.
    return frame.tokens[min(frame.clause.end + 4, len(frame.tokens)) - 1].end


_DROPPED = words("a an the my our another new some this that these")


def _after_article(frame: Frame, at: int) -> int:
    while frame.tokens[at].low in _DROPPED:
        at += 1
    return at


def counted_noun(frame: Frame, at: int) -> tuple[int, str] | None:
    """The index and predicate of a relation or animal noun that heads the object at `at`."""
    index = at
    while index < min(frame.clause.end, at + 5):
        low = frame.tokens[index].low
        relation = RELATIONS.get(low)
        follower = frame.tokens[index + 1].low if index + 1 < len(frame.tokens) else ""
        closed = (
            follower in words("called named , . and ( or under aged who in at from with")
            or not follower
            or (index + 1 < len(frame.tokens) and frame.tokens[index + 1].is_capitalised)
            or index + 1 >= frame.clause.end
        )
        if low.endswith(("-year-old", "-month-old")) and closed:
            return index, "has_child"
        if relation and closed:
            return index, relation.predicate
        if (
            low in ANIMALS or low.removesuffix("s") in ANIMALS or low.removesuffix("es") in ANIMALS
        ) and closed:
            return index, "has_pet"
        if low in {",", "and", "with", "in", "of", "'s", "for", "to", "about", "on", "at", "-"}:
            return None
        index += 1
    return None


def name_children(frame: Frame) -> bool:
    """Reads "named our daughters Ada and Joan"."""
    at = frame.skip()
    index = at
    while index < frame.clause.end and frame.tokens[index].low in {"our", "my", "the", "new"}:
        index += 1
    if index >= frame.clause.end or index == at:
        return False
    low = frame.tokens[index].low
    relation = RELATIONS.get(low)
    predicate = (
        relation.predicate if relation else "has_pet" if low.removesuffix("s") in ANIMALS else ""
    )
    if not predicate:
        return False
    spans = [s for s in frame.objects(index + 1, names=True) if s.text[:1].isupper()]
    return frame.add(predicate, spans, "named")


def know(frame: Frame) -> bool:
    spans = named_one(frame, frame.skip()) if frame.skip() < frame.clause.end else []
    if frame.has_word("if", "how", "what", "that", "whether", "about") or frame.verb.negated:
        return False
    return len(spans) == 1 and frame.state("knows", spans)


def meet(frame: Frame) -> bool:
    """Reads "met Ada and Joan at the gala": people with a name are known from then on."""
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated or frame.verb.doubtful:
        return False
    begin = frame.skip()
    if begin >= frame.clause.end or not frame.tokens[begin].is_capitalised:
        return False
    spans = [
        s
        for s in frame.objects(begin, names=True, stops=words("at in on for with from"))
        if s.text[:1].isupper()
    ]
    return frame.add("knows", spans, "met", dated=False)


def see(frame: Frame) -> bool:
    """Reads "seeing Dr. Halvorsen since last summer"."""
    begin = frame.skip()
    if begin >= frame.clause.end or frame.tokens[begin].low not in {"dr", "dr."}:
        return False
    spans = frame.objects(begin, names=True, stops=words("for about since on at"))
    regular = frame.verb.progressive or frame.verb.time == "present"
    return regular and frame.state("has_doctor", spans[:1], "sees")


def share(frame: Frame) -> bool:
    """Reads "sharing a house in Y with X"."""
    if not frame.has_word(*DWELLINGS) or frame.verb.negated:
        return False
    done = frame.state("lives_in", places(frame, frame.after("in")), "shares a home in")
    other = frame.after("with")
    mate = named_one(frame, other) if other is not None and other < frame.clause.end else []
    return frame.state("has_roommate", mate, "shares a home with") or done


READINGS = {
    "meet": meet, "see": see, "share": share,
    "date": partner, "marry": partner, "break": split_up, "split": split_up, "separate": split_up,
    "divorce": split_up, "adopt": adopt, "name": name_children, "know": know,
}  # fmt: skip
