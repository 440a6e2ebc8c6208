"""Blanks out what states nothing, keeping offsets: code, comments, quotations, our own context.

A masked text has the length of the original, so that spans stay valid.
"""

import re

_FENCE = re.compile(r"^[ \t]{0,8}(```|~~~)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_BRACES = re.compile(r"\{[^{}]{0,2000}\}")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*)$")
_OWN_BLOCK = re.compile(r"^(?:known facts|relevant memories)\b", re.I)
_LABEL = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{6,40}\][ \t]*)?(?:user|assistant|human|system)[ \t]*:", re.I
)
_QUOTES = (
    re.compile(r'"[^"\n]{1,600}"'),
    re.compile("[\u201c\u201e][^\u201c\u201d\u201e\n]{1,600}[\u201c\u201d]"),
    re.compile("\u00ab[^\u00ab\u00bb\n]{1,600}\u00bb"),
    re.compile("\u300c[^\u300c\u300d\n]{1,600}\u300d"),
)
_WORD = re.compile(r"\w+")
_LONGEST_NAME = 4  # words; a longer quotation is speech, a shorter one a title or a name


def mask(text: str) -> str:
    """`text` with every stretch that states nothing replaced by spaces (line breaks stay)."""
    masked = _mask_lines(text)
    for pattern in (_COMMENT, _BRACES, _TAG):
        masked = pattern.sub(_blank, masked)
    for pattern in _QUOTES:
        masked = pattern.sub(_blank_speech, masked)
    return masked


def _blank(match: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in match.group())


def _blank_speech(match: re.Match[str]) -> str:
    quoted = match.group()
    words = _WORD.findall(quoted)
    if len(words) <= _LONGEST_NAME and not (words and words[0].casefold() in {"i", "im", "my"}):
        return quoted
    return quoted[0] + " " * (len(quoted) - 2) + quoted[-1]


def _mask_lines(text: str) -> str:
    out: list[str] = []
    in_fence = False
    own_block = False
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
        ending = line[len(body) :]
        if _FENCE.match(body):
            in_fence = not in_fence
            out.append(" " * len(body) + ending)
            continue
        heading = _HEADING.match(body)
        if heading:
            own_block = _OWN_BLOCK.match(heading.group(1)) is not None
        elif own_block and _LABEL.match(body):
            own_block = False
        drop = in_fence or own_block or body.lstrip().startswith(">")
        out.append((" " * len(body) if drop else body) + ending)
    return "".join(out)
