"""The statements that count a month and its days.

The month's row is locked first by all of them, the day's under it: both change or neither, and
their sums agree.
"""

from __future__ import annotations

_AMOUNT = "%(amount)s::bigint"
_FIRST = {"writes": f"{_AMOUNT}, 0", "queries": f"0, {_AMOUNT}"}
_DAY = """
    d.day = %(day)s AND d.project_id = %(project)s AND d.key_id IS NOT DISTINCT FROM %(key)s::uuid
"""

# Fixed names and parts; every value is a parameter.
#
# A claim outside a transaction does not wait for the disk: a write that it pays for is committed
# later in the same log and takes it along. A crash of PostgreSQL can lose those of failed requests
# and of reads (`kernel.tenancy.reading_scope`) in its last 0.6 s.
CLAIM = {
    kind: f"""
        WITH month AS (
            INSERT INTO billing_usage AS u (id, organisation_id, month, writes, queries)
            SELECT %(id)s, %(organisation)s, %(month)s, {first}
            WHERE %(limit)s::bigint IS NULL OR %(limit)s::bigint >= {_AMOUNT}
            ON CONFLICT (organisation_id, month) DO UPDATE SET {kind} = u.{kind} + {_AMOUNT}
            WHERE %(limit)s::bigint IS NULL OR u.{kind} + {_AMOUNT} <= %(limit)s::bigint
            RETURNING organisation_id, {kind} AS used, warned_at IS NOT NULL AS warned
        ), day AS (
            INSERT INTO billing_usageday AS d
                (id, organisation_id, day, project_id, key_id, writes, queries)
            SELECT %(id)s, organisation_id, %(day)s::date, %(project)s::uuid, %(key)s::uuid, {first}
            FROM month
            ON CONFLICT (organisation_id, day, project_id, key_id)
            DO UPDATE SET {kind} = d.{kind} + {_AMOUNT}
        )
        SELECT used, warned,
            CASE WHEN %(alone)s THEN set_config('synchronous_commit', 'off', true) END
        FROM month
    """  # noqa: S608 - fixed names
    for kind, first in _FIRST.items()
}
RELEASE = {
    kind: f"""
        WITH month AS (
            UPDATE billing_usage SET {kind} = {kind} - {_AMOUNT}
            WHERE organisation_id = %(organisation)s AND month = %(month)s
            RETURNING organisation_id
        )
        UPDATE billing_usageday d SET {kind} = d.{kind} - {_AMOUNT} FROM month
        WHERE d.organisation_id = month.organisation_id AND {_DAY}
    """  # noqa: S608 - fixed names
    for kind in _FIRST
}
CARRY = f"""
    WITH month AS MATERIALIZED (
        SELECT organisation_id FROM billing_usage
        WHERE organisation_id = %(organisation)s AND month = %(month)s FOR UPDATE
    ), taken AS (
        UPDATE billing_usageday d SET writes = d.writes - {_AMOUNT} FROM month
        WHERE d.organisation_id = month.organisation_id AND {_DAY}
        RETURNING d.organisation_id
    )
    INSERT INTO billing_usageday AS d
        (id, organisation_id, day, project_id, key_id, writes, queries)
    SELECT %(id)s, organisation_id, %(day)s, %(target)s, %(key)s::uuid, {_FIRST["writes"]}
    FROM taken
    ON CONFLICT (organisation_id, day, project_id, key_id)
    DO UPDATE SET writes = d.writes + excluded.writes
"""  # noqa: S608 - fixed names
WARN = (
    "UPDATE billing_usage SET warned_at = %(at)s"
    " WHERE organisation_id = %(organisation)s AND month = %(month)s AND warned_at IS NULL"
    " AND writes * 100 >= %(limit)s * %(percent)s RETURNING writes"
)
