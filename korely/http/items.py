"""A field that is a list of objects, each of a shape of its own."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import ErrorDetail, ValidationError

from korely.http.fields.base import StrictField, refuse
from korely.http.shapes import Shape, read, reader

_MOST_FAULTY = 100  # items whose faults one refusal tells


class Items(StrictField):
    """`least` to `most` objects of a shape; a fault is told with the item's index in its path."""

    def __init__(self, shape: type[Shape], *, least: int, most: int, **kwargs: Any) -> None:
        self.shape, self.least, self.most = shape, least, most
        super().__init__(**kwargs)

    @property
    def child(self) -> Shape:
        """What reads one item."""
        return reader(self.shape)

    def document(self) -> dict[str, Any]:
        return {"type": "array", "minItems": self.least, "maxItems": self.most}

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        if not isinstance(data, list):
            raise refuse("must be a list", "list_type")
        if not self.least <= len(data) <= self.most:
            raise refuse(f"must have {self.least} to {self.most} items", "out_of_range")
        values: list[dict[str, Any]] = []
        faults: dict[Any, Any] = {}
        for index, item in enumerate(data):
            if not isinstance(item, dict):
                faults[index] = ErrorDetail("must be an object", "dict_type")
                continue
            one, found = read(self.shape, item, closed=True)
            values.append(one)
            if found:
                faults[index] = _by_field(found)
        if faults:
            raise ValidationError(dict(list(faults.items())[:_MOST_FAULTY]))
        return values


def _by_field(found: list[tuple[list[str | int], ErrorDetail]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for path, fault in found:
        told.setdefault(str(path[0]), []).append(fault)
    return told
