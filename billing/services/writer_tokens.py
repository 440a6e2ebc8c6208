"""The tokens of language models in a UTC day: taken before a call, settled after it."""

from __future__ import annotations

from datetime import date

from django.db import connection

from korely.kernel.clock import day, now

_TAKE = """
    INSERT INTO billing_writerday AS d (day, tokens)
    SELECT %(day)s::date, %(tokens)s::bigint
    WHERE %(limit)s::bigint IS NULL OR %(tokens)s::bigint <= %(limit)s::bigint
    ON CONFLICT (day) DO UPDATE SET tokens = d.tokens + excluded.tokens
    WHERE %(limit)s::bigint IS NULL OR d.tokens + excluded.tokens <= %(limit)s::bigint
    RETURNING day
"""


def take_tokens(*, tokens: int, limit: int | None) -> date | None:
    """Take tokens of today, all of them or none; the day they count in, None when fewer are left.

    One statement decides, so that calls at the same time never pass the limit together.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"day": day(now()), "tokens": tokens, "limit": limit})
        row = cursor.fetchone()
    return row[0] if row else None


def settle_tokens(*, of: date, taken: int, used: int) -> None:
    """Count what a call used in place of what was taken for it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE billing_writerday SET tokens = tokens - %s + %s WHERE day = %s",
            [taken, used, of],
        )


def tokens_used() -> int:
    """Tokens of today, those of calls under way included."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tokens FROM billing_writerday WHERE day = %s", [day(now())])
        row = cursor.fetchone()
    return int(row[0]) if row else 0
