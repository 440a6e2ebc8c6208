"""Key and project acts, audited in the project they concern."""

from __future__ import annotations

import uuid
from dataclasses import replace

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope


def record_in(project_id: uuid.UUID, caller: Caller, action: str, target: str) -> str:
    """One audit event of `project_id`, whichever project the caller's key belongs to."""
    with project_scope(project_id):
        return billing.record(replace(caller, project_id=project_id), action, target=target)
