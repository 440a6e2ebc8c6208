"""Clauses with "be": what somebody is, where, since when; what a thing is set to."""

from facts.extraction.statements.being.kinds import kind_of
from facts.extraction.statements.being.naming import naming, relation_of
from facts.extraction.statements.being.states import adjective, placed
from facts.extraction.statements.being.things import set_to
from facts.extraction.statements.frame import Frame


def be(frame: Frame) -> bool:
    """Dispatches on what follows "be"."""
    if frame.verb.doubtful:
        return False
    at = frame.skip()
    if at >= frame.clause.end:
        return False
    low = frame.tokens[at].low
    for reading in (set_to, naming, adjective, placed, relation_of, kind_of):
        if reading(frame, at, low):
            return True
    return False


READINGS = {"be": be}
