"""Trips and first days at work told in a noun phrase."""

import re

from facts.extraction.statements.passing import Aside

_TRIP = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?:upcoming |next |big |family |work |business )?"
    r"(?:trip|holiday|vacation|flight|visit|honeymoon) to "
    r"((?:the )?[A-Z][\w'\-]+(?: [A-Z][\w'\-]+){0,2})"
)


def read_trips(text: str, start: int) -> list[Aside]:
    """Reads "our flight to Peru": where to; when is left to the dates of the sentence."""
    return [
        Aside("", "travels_to", "trip to", m.group(1), start + m.start(), start + m.end())
        for m in _TRIP.finditer(text)
    ]


_FIRST_DAY = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) first (?:day|week) (?:of work |working |of my job )?(?:at|with) "
    r"((?:the )?[A-Z][\w&'\-]*(?: [A-Z&][\w&'\-]*){0,3})"
)


_CALLED_OFF = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Mm]y) (?:trip to ([A-Z][\w\-]+)|([A-Z][\w\-]+) trip)"
    r" (?:is|was|got|has been|is now)"
    r" (?:off|cancelled|canceled|called off)\b|\b[Cc]ancell?ed (?:the|our|my)"
    r" (?:trip to ([A-Z][\w\-]+)|([A-Z][\w\-]+) trip)\b"
)


def read_first_days(text: str, start: int) -> list[Aside]:
    """Reads "that was my first day at Brightly"."""
    return [
        Aside("", "works_at", "first day at", m.group(1), start + m.start(), start + m.end())
        for m in _FIRST_DAY.finditer(text)
    ]


def read_cancelled(text: str, start: int) -> list[Aside]:
    """Reads "the Peru trip is cancelled"."""
    return [
        Aside(
            "",
            "travels_to",
            "cancelled",
            next(filter(None, m.groups())),
            start + m.start(),
            start + m.end(),
        )
        for m in _CALLED_OFF.finditer(text)
    ]
