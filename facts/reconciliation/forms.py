"""The forms in which subjects and objects are compared. What is stored stays as written."""

import re
import unicodedata
from functools import lru_cache

from facts.reconciliation.amounts import amount_key, phone_key

_LEADING = re.compile(r"^(?:(?:a|an|the|my|our|his|her|their|your|its|some)\s+)+(?=\S)")
_ENDING = re.compile(r"[\s.,;:!?…]+$")
_SAME_MARKS = str.maketrans("‘’ʼ“”‐‑‒–—−", "'''\"\"------")
_QUOTES = ("''", '""', "«»", '„"', "()", "``")
_NO_PLURAL = ("ss", "us", "is", "news")
_ES = ("ches", "shes", "sses", "xes", "zes", "oes")


# A statement is compared with every fact of its subject, of which there may be a thousand.
_REMEMBERED = 8_192


@lru_cache(maxsize=_REMEMBERED)
def text_key(text: str) -> str:
    """NFC, case-folded, white space collapsed: how subjects are compared. Total and idempotent."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(folded.split())


@lru_cache(maxsize=_REMEMBERED)
def object_key(text: str) -> str:
    """How objects are compared: `text_key` without what carries no meaning. Total and idempotent.

    Leading articles and possessives, surrounding quotes and closing punctuation go; typographic
    quotes and dashes become plain; amounts of money, counts with a scale or thousands separators
    and international telephone numbers get one spelling. Everything else stays: names, codes and
    numbers that differ in one character stay apart.
    """
    key = text_key(text).translate(_SAME_MARKS)
    while (bare := _strip(key)) != key:
        key = bare
    return phone_key(key) or amount_key(key) or key


def same_object(left: str, right: str) -> bool:
    """Whether two written objects are the same value: equal keys, or singular and plural of a word.

    Number is folded only where a side is written in lower case, so that names ("Steven", "Stevens")
    stay apart.
    """
    one, other = object_key(left), object_key(right)
    if one == other:
        return True
    if _is_name(left) and _is_name(right):
        return False
    return _singular(one) == other or _singular(other) == one


def _strip(key: str) -> str:
    if len(key) > 2 and key[0] + key[-1] in _QUOTES and key[0] not in key[1:-1]:
        key = key[1:-1].strip()
    key = _ENDING.sub("", key) or key
    return _LEADING.sub("", key, count=1) or key


@lru_cache(maxsize=_REMEMBERED)
def _singular(key: str) -> str:
    head, space, word = key.rpartition(" ")
    if len(word) < 4 or not word.isascii() or not word.isalpha() or word.endswith(_NO_PLURAL):
        return key
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(_ES):
        word = word[:-2]
    elif word.endswith("s"):
        word = word[:-1]
    return head + space + word


def _is_name(text: str) -> bool:
    last = text.split()[-1:] or [""]
    return last[0][:1].isupper()
