"""How the OpenAPI document is made from the views' operations."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from korely.rest import answers

# Which refusals any guarded call can get; the contract's section 3 has them all.
_REFUSALS = ("401", "403", "422", "429", "500", "503")


class OperationSchema(AutoSchema):
    """Adds the error envelope to each operation, and plain operation ids."""

    def get_operation_id(self) -> str:
        words = self.path.strip("/").replace("{", "by_").replace("}", "").split("/")
        return "_".join([self.method.lower(), *words])

    def get_tags(self) -> list[str]:
        parts = self.path.strip("/").split("/")
        return [parts[1] if len(parts) > 1 and parts[0] == "v1" else parts[0]]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in (*_REFUSALS, *(("404",) if "{" in self.path else ())):
            bodies[status] = self._get_response_for_code(answers.Error, status)
        return dict(sorted(bodies.items()))
