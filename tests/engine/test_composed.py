"""Texts whose letters and marks come apart are read as if they were composed."""

import unicodedata
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from facts.extraction import engine
from facts.extraction.text import Composed

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_decomposed_name_states_what_the_composed_one_does() -> None:
    written = unicodedata.normalize("NFD", "Zoë. José Álvarez lives in Lima.")
    (found,) = engine().extract(written, user_id="u", names=(), timestamp=NOW)
    assert (found.subject, found.predicate, found.object) == ("José Álvarez", "lives_in", "Lima")
    begin, end = found.span
    assert written[begin:end].strip(". ").endswith("lives in Lima")
    assert unicodedata.normalize("NFC", written[begin:end]).startswith("José")


@given(st.text(alphabet="aeo \u0301\u0308\u1100\u1161\u11a8xé", max_size=40))
def test_the_way_back_leads_to_the_same_characters(written: str) -> None:
    composed = Composed(written)
    assert composed.text == unicodedata.normalize("NFC", written)
    assert composed.origin(0) == 0
    assert composed.origin(len(composed.text)) == len(written)
    for offset in range(len(composed.text)):
        begin, end = composed.origin(offset), composed.origin(offset + 1)
        assert 0 <= begin <= end <= len(written)
