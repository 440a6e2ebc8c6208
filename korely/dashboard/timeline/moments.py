"""Instants in forms and in words. Everything is UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms

from facts.selectors import Reading
from korely.kernel import clock


class MomentField(forms.CharField):
    """An instant as `clock.read` takes it; a browser's picker has no zone, which is UTC."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        picker = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"})
        super().__init__(widget=picker, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        try:
            return clock.read(text)
        except ValueError:
            raise forms.ValidationError("Enter a date and time.") from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        """As a picker shows it, whatever way it was spelled in the address."""
        try:
            return as_picked(clock.read(data))
        except (TypeError, ValueError):
            return data


def as_picked(moment: datetime) -> str:
    """As a picker holds it: `2026-03-01T09:14`, with seconds where there are any."""
    precise = "seconds" if moment.second or moment.microsecond else "minutes"
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec=precise)


def whole_second(moment: datetime) -> datetime:
    """The instant, or the first whole second after it: what a picker can hold."""
    if not moment.microsecond:
        return moment
    try:
        return moment.replace(microsecond=0) + timedelta(seconds=1)
    except OverflowError:  # the last second there is
        return moment


def in_words(moment: datetime) -> str:
    """`1 March 2024`, `1 March 2024, 09:14 UTC` where it is not midnight."""
    moment = moment.astimezone(UTC)
    day = f"{moment.day} {moment:%B} {moment.year}"
    if (moment.hour, moment.minute, moment.second) == (0, 0, 0):
        return day
    precise = "%H:%M:%S" if moment.second else "%H:%M"
    return f"{day}, {moment.strftime(precise)} UTC"


def sentence(reading: Reading, now: datetime) -> str:
    """What a page shows, as its clocks are set: "What was true on 1 March 2024, as known now."."""
    known = "now" if reading.known_as_of is None else f"on {in_words(reading.known_as_of)}"
    if reading.as_of is None:
        if reading.known_as_of is None:
            return "What is true now, as known now."
        return f"What was true on {in_words(reading.known_as_of)}, as known then."
    tells = "will be" if reading.as_of > now else "was"
    return f"What {tells} true on {in_words(reading.as_of)}, as known {known}."
