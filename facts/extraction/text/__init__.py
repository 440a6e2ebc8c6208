"""From a raw memory to speakers, sentences and tokens; shared by every local engine."""

from facts.extraction.text.composed import Composed
from facts.extraction.text.lines import TASKS, Line, read_lines
from facts.extraction.text.masking import mask
from facts.extraction.text.sentences import Sentence, split_sentences
from facts.extraction.text.tokens import Token, tokenize

__all__ = [
    "TASKS",
    "Composed",
    "Line",
    "Sentence",
    "Token",
    "mask",
    "read_lines",
    "split_sentences",
    "tokenize",
]
