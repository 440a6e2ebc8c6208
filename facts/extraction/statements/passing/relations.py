"""Names behind a relation or a title: "my sister Mona", "Joan, our CTO"."""

from collections.abc import Sequence

from facts.extraction.grammar.lexicon import PREPOSITIONS
from facts.extraction.grammar.names import names_after, read_name, span_text
from facts.extraction.grammar.nouns import ANIMALS, JOBS, RELATIONS
from facts.extraction.statements.passing import Aside
from facts.extraction.text import Token
from facts.vocabulary.words import words

TITLES = words(
    """ceo cto cfo coo cio cmo cpo vp head director lead manager founder co-founder president
    chair owner"""
)


def read_relations(tokens: Sequence[Token], me: str) -> list[Aside]:
    """Names in apposition to a relation or an animal: "my sister Anna", "Anna's dog Rex"."""
    found: list[Aside] = []
    at = 0
    while at < len(tokens):
        low = tokens[at].low
        possessive = low in {"my", "our", "his", "her", "their"}
        if not possessive and not (low == "'s" and at and tokens[at - 1].is_capitalised):
            at += 1
            continue
        at += 1
        if at < len(tokens) and tokens[at].low in {"ex", "former", "late", "ex-"}:
            continue
        owner = "" if low in {"my", "our"} else low
        if low == "'s":
            owner = _name_before(tokens, at - 1)
            if not owner:
                continue
        found += _relation_at(tokens, at, owner, low)
    return found


_ADJECTIVES = words(
    """older younger little big best old new dear elderly eldest youngest oldest twin only own first
    second third good close lovely maths math english yoga piano
    primary current"""
)


def _relation_at(tokens: Sequence[Token], at: int, owner: str, written: str) -> list[Aside]:
    """The names behind the relation or animal that follows a possessive."""
    begin = at - 1
    while at < len(tokens) and tokens[at].low in _ADJECTIVES:
        at += 1
    if at >= len(tokens):
        return []
    noun = tokens[at].low
    relation = RELATIONS.get(noun)
    if relation is None and noun not in ANIMALS and noun.removesuffix("s") not in ANIMALS:
        return []
    predicate = relation.predicate if relation else "has_pet"
    names, after = names_after(tokens, at + 1)
    raw = f"{written} {noun}".removeprefix("'s ")
    found = [Aside(owner, predicate, raw, name, tokens[begin].start, end) for name, _, end in names]
    if len(names) == 1 and after + 2 < len(tokens) and tokens[after].low == "(":
        age = tokens[after + 1].text
        if age.isdigit() and len(age) <= 3 and tokens[after + 2].low == ")":
            name, start, _ = names[0]
            found.append(Aside(name, "age", "age", age, start, tokens[after + 2].end))
    return found


def _name_before(tokens: Sequence[Token], at: int) -> str:
    begin = at
    while begin > 0 and tokens[begin - 1].is_capitalised and at - begin < 4:
        begin -= 1
    return span_text(tokens, begin, at)


def read_titles(tokens: Sequence[Token]) -> list[Aside]:
    """Reads "Joan, our CTO", "Joan Hale, Head of IT at Brightly", "Joan Hale (COO, Brightly)"."""
    found: list[Aside] = []
    at = 0
    while at < len(tokens):
        end = read_name(tokens, at)
        if end is None:
            at += 1
            continue
        if end < len(tokens) and tokens[end].low in {",", "("}:
            found += _title_after(tokens, at, end)
        at = end
    return found


def _opens_aside(token: Token) -> bool:
    """Whether a preposition and no title follows the name."""
    return token.low in PREPOSITIONS


def _title_after(tokens: Sequence[Token], begin: int, end: int) -> list[Aside]:
    name = span_text(tokens, begin, end)
    if begin >= 2 and tokens[begin - 1].low == "am" and tokens[begin - 2].low == "i":
        name = ""
    bracket = tokens[end].low == "("
    at = end + 1
    while at < len(tokens) and tokens[at].low in {"our", "the", "a", "an", "my", "their"}:
        at += 1
    first = at
    while (
        at < len(tokens)
        and at < first + 5
        and (tokens[at].is_word)
        and tokens[at].low not in {"at", "and", "for", "from", "who", "is"}
    ):
        at += 1
    title = (
        span_text(tokens, first, at) if tokens[first:at] and not _opens_aside(tokens[first]) else ""
    )
    head = title.casefold().split()[-1] if title else ""
    opening = title.casefold().split()[0] if title else ""
    known = head in TITLES | JOBS or opening in TITLES
    if not known or at >= len(tokens) + 1:
        return []
    out: list[Aside] = []
    organisation = ""
    if " of " in f" {title} " and opening in {
        "ceo",
        "cto",
        "cfo",
        "coo",
        "founder",
        "co-founder",
        "president",
    }:
        title, _, organisation = title.partition(" of ")
    place = tokens[first].start
    out.append(Aside(name, "works_as", "is", title, tokens[begin].start, tokens[at - 1].end))
    org_at = (
        at + 1
        if at < len(tokens) and (tokens[at].low == "at" or (bracket and tokens[at].low == ","))
        else None
    )
    org_end = read_name(tokens, org_at) if org_at is not None else None
    if org_at is not None and org_end is not None:
        organisation = span_text(tokens, org_at, org_end)
    if organisation:
        out.append(
            Aside(name, "works_at", "at", organisation, place, tokens[(org_end or at) - 1].end)
        )
    return out


def read_name_is(tokens: Sequence[Token]) -> list[Aside]:
    """Reads "we have a corgi, his name is Bolt": the relation that was just introduced."""
    for at in range(2, len(tokens) - 2):
        lows = [t.low for t in tokens[at : at + 3]]
        if lows[0] not in {"her", "his", "its"} or lows[1] != "name" or lows[2] not in {"is", "'s"}:
            continue
        end = read_name(tokens, at + 3)
        noun = _introduced(tokens, at)
        if end is None or noun is None:
            return []
        relation = RELATIONS.get(noun)
        name = span_text(tokens, at + 3, end)
        predicate = relation.predicate if relation else "has_pet"
        return [Aside("", predicate, "name is", name, tokens[at].start, tokens[end - 1].end)]
    return []


def _introduced(tokens: Sequence[Token], before: int) -> str | None:
    for index in range(before - 1, 0, -1):
        low = tokens[index].low
        if (low in RELATIONS or low in ANIMALS) and any(
            t.low in {"a", "an", "my", "our"} for t in tokens[max(0, index - 3) : index]
        ):
            return low
    return None
