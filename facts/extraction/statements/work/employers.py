"""Spans that name an employer, a job or a business."""

from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words

ORG_STOPS = words(
    """in on as with near from where doing since because part-time full-time of by rather via to at
    for after before -"""
)


_JOB_STOPS = words("at for in with on of since where who from to near")


_NOT_EMPLOYERS = words(
    """home night nights weekends weekend office living money free fun day days times
    moment least it myself ourselves years ages peanuts hours work tips desk height"""
)


BUSINESSES = words(
    """bakery shop store company business firm team bar cafe café practice studio restaurant agency
    salon farm hotel clinic department nursery startup workshop garage kitchen school gallery
    brewery winery bookshop bookstore diner pub club charity division lab unit project blog podcast
    channel newsletter foundation group branch"""
)


def employers(frame: Frame, begin: int | None) -> list[Span]:
    """An employer's name: a capitalised name or the shortest noun phrase, "called X" preferred."""
    if begin is None or begin >= frame.clause.end:
        return []
    called = frame.after("called", "named")
    if called is not None and called > begin:
        return frame.objects(called, stops=ORG_STOPS, names=True)[:1]
    spans = frame.objects(begin, stops=ORG_STOPS, split=False)
    out: list[Span] = []
    for span in spans:
        text = span.text
        if "," in text:
            head, _, tail = text.partition(",")
            tail = tail.strip()
            # "a small publisher, Hale Press": the name in apposition is the employer.
            named = tail[:1].isupper() and not frame.tokens[frame.skip(begin)].is_capitalised
            text = tail if named else head.strip()
        if text and text.casefold() not in _NOT_EMPLOYERS:
            out.append(Span(text, span.start, span.end))
    return out


def jobs(frame: Frame, begin: int | None) -> list[Span]:
    return frame.objects(begin, stops=_JOB_STOPS)
