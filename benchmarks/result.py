"""One line of output."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """What one measurement found; `bar` names a figure (or `ratio`) and the most it may be."""

    name: str
    parameters: dict[str, Any]
    figures: dict[str, Any]
    floor: dict[str, Any] | None = None
    ratio: float | None = None
    bar: dict[str, float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        known = {**self.figures, "ratio": self.ratio}
        return all(
            known[name] is not None and known[name] <= most for name, most in self.bar.items()
        )

    def line(self) -> str:
        """The JSON object of the line."""
        return json.dumps(
            {
                "name": self.name,
                "parameters": self.parameters,
                "figures": self.figures,
                "floor": self.floor,
                "ratio": self.ratio,
                "bar": self.bar or None,
                "ok": self.ok,
            }
        )
