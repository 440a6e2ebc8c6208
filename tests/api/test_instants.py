"""Reading and writing instants, with generated ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from korely.kernel import clock

OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59)
MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC)
)


def spelled(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


@settings(max_examples=100, deadline=None)
@given(MOMENTS)
def test_what_is_written_is_read_back(moment: datetime) -> None:
    text = clock.write(moment)
    assert clock.read(text) == moment
    assert text.endswith("+00:00")
    assert ("." in text) == (moment.microsecond != 0)
    assert clock.read(text.replace("T", " ")) == moment
    assert clock.read(text.replace("+00:00", "Z")) == clock.read(text.removesuffix("+00:00"))


@settings(max_examples=100, deadline=None)
@given(MOMENTS, OFFSETS)
def test_an_offset_names_the_same_instant(moment: datetime, minutes: int) -> None:
    zone = timezone(timedelta(minutes=minutes))
    local = moment.astimezone(zone).replace(tzinfo=None)
    assert clock.read(local.isoformat() + spelled(minutes)) == moment


@settings(max_examples=100, deadline=None)
@given(MOMENTS, st.sampled_from(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]))
def test_a_text_covers_the_instants_it_cannot_tell_apart(moment: datetime, form: str) -> None:
    text = f"{moment.year:04}" + moment.strftime(form).lstrip("0123456789")
    since = moment - clock.read(text)
    assert timedelta() <= since < clock.precision(text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_instant_or_a_value_error(text: str) -> None:
    try:
        moment = clock.read(text)
    except ValueError:
        return
    assert moment.tzinfo is UTC


@settings(max_examples=100, deadline=None)
@given(st.from_regex(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?\Z"))
def test_a_well_formed_text_is_in_range_or_a_value_error(text: str) -> None:
    try:
        moment = clock.read(text)
    except ValueError:
        return
    assume(text.isascii())
    naive = datetime.fromisoformat(text.replace(" ", "T")[:19])
    assert abs(moment.replace(tzinfo=None) - naive) <= timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("2026-03-01", timedelta(days=1)),
        ("2026-03-01T10:20", timedelta(minutes=1)),
        ("2026-03-01T10:20:30Z", timedelta(seconds=1)),
        ("2026-03-01T10:20:30.1", timedelta(milliseconds=100)),
        ("2026-03-01T10:20:30.123456+02:00", timedelta(microseconds=1)),
        ("2026-03-01T10:20:30.123456789", timedelta(microseconds=1)),
    ],
)
def test_precision_is_the_last_digit_written(text: str, step: timedelta) -> None:
    assert clock.precision(text) == step
