"""Who acts on the operators' site."""

from __future__ import annotations

import uuid
from typing import TypedDict

from django.http import HttpRequest

from accounts.models import Person


class Operator(TypedDict):
    """What the services of operators are told of one."""

    ip: str | None
    person_id: uuid.UUID


def operator_of(request: HttpRequest) -> Operator:
    person = request.user
    assert isinstance(person, Person)
    return {"ip": request.client_address, "person_id": person.pk}  # type: ignore[attr-defined]
