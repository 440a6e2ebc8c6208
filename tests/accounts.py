"""What tests look up about the account behind a key, below the API."""

from __future__ import annotations

import uuid
from typing import Any

from tests.api_client import Api


def key_row_of(api: Api) -> Any:
    """The key's row. Django is set up once a server runs."""
    from accounts.models import ApiKey

    assert api.key is not None
    secret = api.key.rpartition("_")[2]
    return ApiKey.objects.get(lookup=secret[:8], last_four=secret[-4:])


def organisation_of(api: Api) -> uuid.UUID:
    found: uuid.UUID = key_row_of(api).organisation_id
    return found
