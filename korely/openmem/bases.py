"""Knowledge bases that a call names."""

from __future__ import annotations

from collections.abc import Sequence

from korely.openmem import codes
from korely.openmem.codes import fault

ALL = "all"  # in a search: every base of the project


def require_known(base_ids: Sequence[str]) -> None:
    """404 (50123) for a base that is none of the project's."""
    if base_ids:
        raise fault(codes.NO_BASE, "No such knowledge base in this project")
