"""Key and project acts, audited in the project they concern."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope


def record_in(
    project_id: uuid.UUID,
    caller: Caller,
    action: str,
    target: str,
    *,
    meta: dict[str, Any] | None = None,
) -> str:
    """One audit event of `project_id`, whichever project the caller's key belongs to."""
    who = replace(caller, project_id=project_id)
    with project_scope(project_id):
        return billing.record(who, action, target=target, meta=meta)
