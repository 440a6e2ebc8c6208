"""A project with sealed intervals."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from tests.api_client import Box
from tests.db.audit_rig import project_of, record


@pytest.fixture
def project(fresh: Box) -> uuid.UUID:
    """Three sealed intervals of two events or more, and two events after them."""
    from billing import services

    found = project_of(fresh.project)
    for _ in range(3):
        record(found, 2, user_id="anna", meta={"call": "list", "share": 1.50})
        assert services.seal_project(project_id=found, lag=timedelta()) is not None
    record(found, 2)
    return found
