"""Sentences that state nothing: questions, commands, injections, jokes, reported opinion."""

import re
from collections.abc import Sequence

from facts.extraction.text import TASKS, Sentence, Token
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

_INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules?|above|previous)\b"
    r"|\b(?:reveal|print|show|leak)\b.{0,30}\b(?:keys?|prompts?|passwords?|secrets?)\b"
    r"|\b(?:store|save|remember|record|mark|note|delete|erase)\b.{0,30}"
    r"\b(?:that i am|the following|this fact|all facts|as fact|me as|with confidence)\b"
    r"|\byou are now\b|\bsystem prompt\b|\bjailbreak\b|\bact as\b|\bpretend (?:to be|that|you)\b",
    re.I,
)
_SYSTEM = re.compile(
    r"\s*(?:system|developer|instruction|assistant)\s*(?:message|note|prompt)?\s*[:>]", re.I
)
_JOKE = re.compile(
    r"\b(?:just kidding|kidding|jk|j/k|april fools?'?|just joking|joking|not serious|sarcasm)\b"
    r"|(?<!\w)/s\b",
    re.I,
)
_REWRITE = re.compile(
    r"^\W{0,3}(?:please\s+)?(?:can|could|would)?\s*(?:you\s+)?(?:please\s+)?"
    rf"(?:{'|'.join(sorted(TASKS))})\b",
    re.I,
)
_ACCORDING = re.compile(
    r"^\W{0,3}(?:according to|rumou?r has it|people (?:keep )?say|they say|some say|apparently)",
    re.I,
)
_HYPOTHETICAL = re.compile(
    r"^\W{0,3}(?:so |and |but |ok )?(?:if|suppose|supposing|imagine|what if|assuming|say i|had i"
    r"|were i|should i"
    r"|in case|let's say|lets say|unless|i wish|if only|pretend)\b",
    re.I,
)
_WH = words("what who whom whose where when why how which")
_ASKING = words(
    "do does did can could would will is are was were should shall am have has may might isn't"
)
_ASKED = words("you u we they he she it i there this that my your the anyone anybody someone any")


def is_injection(text: str) -> bool:
    return bool(_INJECTION.search(text) or _SYSTEM.match(text))


def is_joke(text: str) -> bool:
    return bool(_JOKE.search(text))


def is_only_joke_mark(text: str) -> bool:
    """Whether the sentence does nothing but say that the one before was a joke."""
    return bool(_JOKE.search(text)) and len(text.split()) <= 4


def is_task(text: str) -> bool:
    """Whether the sentence hands over text to work on ("Rewrite: I was …")."""
    return bool(_REWRITE.match(text))


def is_hearsay(text: str) -> bool:
    return bool(_ACCORDING.match(text))


def is_hypothetical(text: str) -> bool:
    return bool(_HYPOTHETICAL.match(text))


def is_question(sentence: Sentence, tokens: Sequence[Token]) -> bool:
    """Whether the whole sentence asks, as against a statement with a question at its end."""
    lows = [token.low for token in tokens[:8] if token.is_word]
    while lows and lows[0] in {
        "so",
        "and",
        "but",
        "ok",
        "okay",
        "hey",
        "hi",
        "also",
        "thanks",
        "btw",
        "lol",
    }:
        lows.pop(0)
    if not lows:
        return sentence.mark == "?"
    first, second = lows[0], lows[1] if len(lows) > 1 else ""
    if first in _WH and (
        sentence.mark == "?"
        or second in _ASKING | {"'s"}
        or (first == "how" and second in {"much", "many", "long", "far"})
    ):
        return True
    if first in {"any", "anything", "anyone"} and sentence.mark == "?":
        return True
    return first in _ASKING and (second in _ASKED or sentence.mark == "?")


def question_start(tokens: Sequence[Token]) -> int:
    """In a sentence that ends with "?": the index where the asking clause begins.

    Statements before it count ("I have 3 kids, is that enough?"); 0 when everything asks.
    """
    for index in range(len(tokens) - 2, 0, -1):
        if tokens[index].low in {",", "-", "–", "—", ":", "and", "but", "so"}:
            following = [t.low for t in tokens[index + 1 : index + 3]]
            if following and (following[0] in _WH | _ASKING | {"any", "ok", "right"}):
                return index
    return 0


def is_command(tokens: Sequence[Token], at: int) -> bool:
    """Whether the clause that begins at `at` tells the reader to do something."""
    if at >= len(tokens):
        return False
    low = tokens[at].low
    if low in {"please", "pls", "let", "kindly"}:
        return True
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low == "do" and following == "not":
        return True
    forms = {form for _, form in readings(low)}
    if "base" in forms and low not in {
        "love",
        "hate",
        "like",
        "prefer",
        "quit",
        "dislike",
    }:
        return not (forms & {"third"})
    return False
