"""The months of the audit log."""

from __future__ import annotations

import structlog
from django.db import OperationalError, connection

log = structlog.get_logger(__name__)


def make_audit_partitions() -> int:
    """Make the partitions of this month and the next three that are missing; how many were.

    Whoever is in the way is waited for two seconds; the next call tries again, and events of a
    month without a partition go into that of the rest.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT korely_audit_partitions()")
            made = int(cursor.fetchone()[0])
    except OperationalError as error:
        log.warning("audit.partitions_postponed", error=type(error).__name__)
        return 0
    if made:
        log.info("audit.partitions_made", count=made)
    return made
