"""Words of a sentence, with English contractions and chat spellings opened up."""

import re
from dataclasses import dataclass

_APOSTROPHES = "'\u2019\u2018"
# Every repeat is bounded or over one class without overlap: no input backtracks badly.
_TOKEN = re.compile(
    r"[\w.+\-]{1,64}@[\w\-]{1,64}(?:\.[\w\-]{1,64}){1,8}"  # e-mail
    r"|https?://\S{1,300}"
    r"|[#$\u20ac\u00a3\u00a5~]?\d+(?:[.,:/]\d+){0,8}(?:%|[a-zA-Z\u20ac$\u00b0]{1,6}(?![\w]))?[+]?"
    r"|[^\W_](?:[\w]|[.&/+\-'\u2019](?=\w)){0,80}[+#]{0,2}"
    r"|\w"
    r"|->|\u2192|--|\S"
)

_OPEN = {
    "i'm": ("i", "am"), "im": ("i", "am"), "i've": ("i", "have"), "ive": ("i", "have"),
    "i'd": ("i", "would"), "i'll": ("i", "will"),
    "we're": ("we", "are"), "we've": ("we", "have"), "we'd": ("we", "would"),
    "we'll": ("we", "will"), "weve": ("we", "have"),
    "they're": ("they", "are"), "theyre": ("they", "are"), "they've": ("they", "have"),
    "they'd": ("they", "would"), "they'll": ("they", "will"),
    "you're": ("you", "are"), "youre": ("you", "are"), "you've": ("you", "have"),
    "you'd": ("you", "would"), "you'll": ("you", "will"), "ur": ("your",),
    "he'll": ("he", "will"), "she'll": ("she", "will"), "it'll": ("it", "will"),
    "he'd": ("he", "would"), "she'd": ("she", "would"), "it'd": ("it", "would"),
    "don't": ("do", "not"), "dont": ("do", "not"), "doesn't": ("does", "not"),
    "doesnt": ("does", "not"), "didn't": ("did", "not"), "didnt": ("did", "not"),
    "can't": ("can", "not"), "cant": ("can", "not"), "cannot": ("can", "not"),
    "won't": ("will", "not"), "wont": ("will", "not"), "isn't": ("is", "not"),
    "isnt": ("is", "not"), "aren't": ("are", "not"), "arent": ("are", "not"),
    "wasn't": ("was", "not"), "wasnt": ("was", "not"), "weren't": ("were", "not"),
    "haven't": ("have", "not"), "havent": ("have", "not"), "hasn't": ("has", "not"),
    "hasnt": ("has", "not"), "hadn't": ("had", "not"), "hadnt": ("had", "not"),
    "wouldn't": ("would", "not"), "wouldnt": ("would", "not"), "couldn't": ("could", "not"),
    "couldnt": ("could", "not"), "shouldn't": ("should", "not"), "ain't": ("am", "not"),
    "aint": ("am", "not"), "gonna": ("going", "to"), "wanna": ("want", "to"),
    "gotta": ("got", "to"), "it's": ("it", "is"), "that's": ("that", "is"),
    "thats": ("that", "is"), "there's": ("there", "is"), "who's": ("who", "is"),
    "here's": ("here", "is"), "what's": ("what", "is"),
    "let's": ("let", "us"), "lets": ("let", "us"),
    "he's": ("he", "'s"), "she's": ("she", "'s"), "u": ("you",), "r": ("are",), "n": ("and",),
    "rn": ("now",), "w/": ("with",), "nxt": ("next",), "b4": ("before",), "luv": ("love",),
    "bc": ("because",), "cuz": ("because",), "coz": ("because",), "&": ("and",), "abt": ("about",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One word: as written, lower-cased with straight apostrophes, and its place in the text.

    An opened contraction gives several tokens that share one place.
    """

    text: str
    low: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[:1].isalnum()

    @property
    def is_capitalised(self) -> bool:
        return self.text[:1].isupper() and self.low != "i"


def tokenize(text: str, start: int) -> list[Token]:
    """The tokens of `text`, which begins at offset `start`."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        written = match.group()
        low = written.casefold()
        for char in _APOSTROPHES[1:]:
            low = low.replace(char, "'")
        if written.startswith("w/") and len(written) > 2:
            written, low = written[2:], low[2:]
        place = (start + match.start(), start + match.end())
        opened = _OPEN.get(low)
        # A lone capital is a name (the language R), not chat spelling.
        if opened and not (len(written) == 1 and written.isupper()):
            if len(opened) == 1:
                tokens.append(Token(written, opened[0], *place))
            else:
                tokens.extend(Token(part, part, *place) for part in opened)
        elif low.endswith("'s") and len(low) > 2 and written[0].isalpha():
            tokens.append(Token(written[:-2], low[:-2], place[0], place[1] - 2))
            tokens.append(Token("'s", "'s", place[1] - 2, place[1]))
        elif low.endswith("s'") and len(low) > 3:
            tokens.append(Token(written, low, *place))
        else:
            tokens.append(Token(written, low, *place))
    return tokens
