"""What an account's projects and keys are called, archived and revoked ones too."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import BooleanField, Q
from django.db.models.expressions import ExpressionWrapper

from accounts.models import ApiKey, Project
from korely.kernel import ids

# A key as `KeyName.label` spells it, or as it is masked.
_LABEL = re.compile(r"(?:(.*) · )?(kor_\w{1,5}_)?•+(\w{4})", re.DOTALL)
_ENDING = 8  # characters: four dots, and the last four


@dataclass(frozen=True, slots=True)
class KeyName:
    """A key as people know it: its name and its masked spelling."""

    id: uuid.UUID
    name: str
    masked: str

    @property
    def ending(self) -> str:
        """The end of its masked spelling, which tells keys of one name apart."""
        return self.masked[-_ENDING:]

    @property
    def label(self) -> str:
        """Name and ending in one line; `find_key_names` finds the key by it."""
        return f"{self.name} · {self.ending}"


def project_names(
    *, organisation_id: uuid.UUID, ids: Iterable[uuid.UUID | None]
) -> dict[uuid.UUID, str]:
    """Of these projects of the account, by id; who is gone has no entry."""
    rows = Project.objects.filter(organisation_id=organisation_id, pk__in=_wanted(ids))
    return dict(rows.values_list("id", "name"))


def key_names(
    *, organisation_id: uuid.UUID, ids: Iterable[uuid.UUID | None]
) -> dict[uuid.UUID, KeyName]:
    """Of these keys of the account, by id; who is gone has no entry."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id, pk__in=_wanted(ids))
    return {row.id: row for row in _named(rows.only("id", "name", "prefix", "last_four"))}


def find_key_names(*, organisation_id: uuid.UUID, text: str, most: int) -> list[KeyName]:
    """The keys that a text may mean, by their names, those that are called exactly that first.

    It is a key's id, its label, its masked spelling, its last four characters or a part of its
    name, in any case. Of many the first `most`.
    """
    rows = ApiKey.objects.filter(_meant(text), organisation_id=organisation_id)
    exact = ExpressionWrapper(Q(name__iexact=text), output_field=BooleanField())
    ordered = rows.order_by(exact.desc(), "name", "id")
    return _named(ordered.only("id", "name", "prefix", "last_four")[:most])


def _meant(text: str) -> Q:
    key_id = ids.parse(ids.KEY, text)
    if key_id is not None:
        return Q(pk=key_id)
    label = _LABEL.fullmatch(text)
    if label is None:
        return Q(name__icontains=text) | Q(last_four=text.lower())
    name, prefix, last_four = label.groups()
    told = {"name": name, "prefix": prefix, "last_four": last_four}
    return Q(**{part: value for part, value in told.items() if value is not None})


def _named(rows: Iterable[ApiKey]) -> list[KeyName]:
    return [KeyName(row.id, row.name, row.masked) for row in rows]


def _wanted(given: Iterable[uuid.UUID | None]) -> set[uuid.UUID]:
    return {one for one in given if one is not None}
