"""What opens a sentence and states nothing: greetings, discourse words, leading dates."""

from collections.abc import Sequence

from facts.extraction.grammar.lexicon import ADVERBS, LEAD_PHRASES, LEADS, by_first_word
from facts.extraction.text.tokens import Token

_LEADS_BY_WORD = by_first_word(LEAD_PHRASES)


def skip_leads(tokens: Sequence[Token], at: int, date_ends: dict[int, int]) -> int:
    """The index after greetings, discourse words and leading dates ("ok so", "In March,")."""
    moved = True
    while moved and at < len(tokens):
        moved = False
        if at in date_ends:
            at, moved = date_ends[at], True
        elif tokens[at].low in {",", "!", "-", "–", "—", ":", "*", "…"} or (
            tokens[at].low in LEADS and not _opens_group(tokens, at)
        ):
            at, moved = at + 1, True
        else:
            for phrase in _LEADS_BY_WORD.get(tokens[at].low, ()):
                if tuple(t.low for t in tokens[at : at + len(phrase)]) == phrase:
                    at, moved = at + len(phrase), True
                    break
    return at


def _opens_group(tokens: Sequence[Token], at: int) -> bool:
    """Whether a lead word belongs to what follows ("no longer at X", "no fan of Y")."""
    low = tokens[at].low
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low == "no":
        return following in {"longer", "more", "fan", "dairy", "meat"} or following not in {
            ",",
            ".",
        }
    return low in ADVERBS and low in {"never", "not"}
