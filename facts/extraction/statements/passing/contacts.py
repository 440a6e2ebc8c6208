"""E-mail addresses, phone numbers and preferred channels."""

import re
from collections.abc import Sequence

from facts.extraction.grammar.names import read_name, span_text
from facts.extraction.statements.passing import Aside
from facts.extraction.text import Token

_PHONE = re.compile(r"[+(]?\d[\d()\-/. ]{5,24}\d")


_PHONE_CUE = re.compile(
    r"\b(?:phone|number|call|whatsapp|reach|mobile|tel|cell|text|ring|contact(?:ed)?|signal)\b",
    re.I,
)


_MAIL_CUE = re.compile(r"\b(?:e-?mail|mail|reach|contact|write|address|inbox)\b", re.I)


_OTHERS = re.compile(
    r"(?:'s|\bhis|\bher|\btheir|\bits|\byour)\s+(?:\w+\s+){0,2}(?:phone|number|e-?mail|mobile|cell|address|contact)\b",
    re.I,
)


_OLD = re.compile(
    r"\b(?:old|former|previous|not|no longer|instead of|order|ticket|invoice|card|iban|pr|was)\b"
    r"[^,;.]{0,16}$",
    re.I,
)


def read_contacts(text: str, start: int, tokens: Sequence[Token]) -> list[Aside]:
    """E-mail addresses and phone numbers, of the name before them or of the speaker."""
    found: list[Aside] = []
    others = _OTHERS.search(text) is not None
    for token in tokens:
        if "@" in token.text and "." in token.text.rpartition("@")[2]:
            owner = _named_before(tokens, token.start)
            before = text[: token.start - start]
            if _OLD.search(before) or (not owner and (others or not _MAIL_CUE.search(text))):
                continue
            found.append(
                Aside(owner, "email", "email", token.text.rstrip("."), token.start, token.end)
            )
    for match in _PHONE.finditer(text):
        digits = sum(map(str.isdigit, match.group()))
        if not 7 <= digits <= 15 or re.match(r"\d{4}-\d{2}-\d{2}", match.group()):
            continue
        before = text[: match.start()]
        owner = _named_before(tokens, start + match.start())
        if _OLD.search(before) or (not owner and (others or not _PHONE_CUE.search(text))):
            continue
        found.append(
            Aside(
                owner,
                "phone",
                "phone",
                match.group().strip(),
                start + match.start(),
                start + match.end(),
            )
        )
    return found


def _named_before(tokens: Sequence[Token], place: int) -> str:
    """A name directly before the place, over a comma or bracket at most."""
    index = next((i for i, t in enumerate(tokens) if t.start >= place), len(tokens)) - 1
    while index >= 0 and tokens[index].low in {",", "(", ":", "+", "-"}:
        index -= 1
    end = index + 1
    begin = end
    while (
        begin > 0
        and end - begin < 3
        and read_name(tokens, begin - 1) is not None
        and tokens[begin - 1].is_capitalised
    ):
        begin -= 1
    return span_text(tokens, begin, end) if end - begin >= 2 and begin >= 0 else ""


_CHANNEL = re.compile(
    r"\b(?:contact(?:ed)?|reach(?:ed)?|message me|write to me|notif(?:y|ied))\b"
    r"[^.;,]{0,20}?\b(?:by|via|on|over|through|per)"
    r"\s+(e-?mail|phone|text|sms|whatsapp|signal|telegram|slack|letter|post|chat|teams|call)\b",
    re.I,
)


def read_channels(text: str, start: int) -> list[Aside]:
    """Reads "wants to be reached by telegram"."""
    found = _CHANNEL.search(text)
    if found is None or re.search(r"\b(?:not|never|n't)\b", text[: found.start()], re.I):
        return []
    place = (start + found.start(1), start + found.end(1))
    return [Aside("", "prefers_contact", "contacted by", found.group(1), *place)]
