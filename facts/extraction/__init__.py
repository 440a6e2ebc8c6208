"""Text to candidate facts: plain Python engines behind one protocol."""

from facts.extraction.candidate import Candidate, Engine, Move, Tense, written
from facts.extraction.pattern import PatternEngine, engine

__all__ = ["Candidate", "Engine", "Move", "PatternEngine", "Tense", "engine", "written"]
