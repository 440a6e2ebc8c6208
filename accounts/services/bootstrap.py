"""The first account of an install."""

from __future__ import annotations

from django.db import transaction

from accounts import authentication  # the module: it imports services itself
from accounts.models import ApiKey, Organisation, Project
from accounts.services.keys import NewKey, mint_key
from accounts.services.projects import create_organisation
from korely.kernel.caller import SCOPES
from korely.kernel.clock import now


def bootstrap(*, key: str | None = None) -> str | None:
    """The first account, its default project and its first key, if they are not there yet.

    With `key` given (`kor_self_<32 hex>`) that key exists afterwards, with all three scopes, in
    the default project of the first account; doing it again changes nothing. Returns a key that
    was made here and is shown this once, or None.

    Raises:
        ValueError: the given key is malformed.
    """
    secret = None if key is None else authentication.parse_key(key)
    if key is not None and secret is None:
        raise ValueError(
            "KORELY_BOOTSTRAP_KEY is not kor_self_ followed by 32 lower-case hex digits"
        )
    with transaction.atomic():
        organisation = Organisation.objects.order_by("created_at", "id").first()
        if organisation is None:
            organisation, project = create_organisation(name="Korely", plan="self_hosted")
            fresh = True
        else:
            project = Project.objects.get(organisation=organisation, is_default=True)
            fresh = False
        if secret is not None:
            if authentication.find_key(secret, now()) is None:
                _mint_first(project, "bootstrap", secret)
            return None
        return _mint_first(project, "first", None).key if fresh else None


def _mint_first(project: Project, name: str, secret: str | None) -> NewKey:
    taken = set(
        ApiKey.objects.filter(
            organisation_id=project.organisation_id, name__startswith=name
        ).values_list("name", flat=True)
    )
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return mint_key(
        organisation_id=project.organisation_id,
        project_id=project.id,
        name=free,
        scopes=SCOPES,
        secret=secret,
    )
