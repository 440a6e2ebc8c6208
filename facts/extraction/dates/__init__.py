"""Date phrases of English text, found and resolved by the product's own rules.

A year means 1 January, a month its first day, a week its Monday, a weekend its Saturday, a season
the first of its first month; everything is a UTC day. Vague words ("recently") are no phrases.
"""

from facts.extraction.dates.finder import DatePhrase, Role, find_dates
from facts.extraction.dates.moment import Moment, shift

__all__ = ["DatePhrase", "Moment", "Role", "find_dates", "shift"]
