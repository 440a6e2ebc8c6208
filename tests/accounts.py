"""What tests look up about the account behind a key, below the API."""

from __future__ import annotations

import uuid

from accounts.models import ApiKey
from tests.api_client import Api


def key_row_of(api: Api) -> ApiKey:
    assert api.key is not None
    secret = api.key.rpartition("_")[2]
    return ApiKey.objects.get(lookup=secret[:8], last_four=secret[-4:])


def organisation_of(api: Api) -> uuid.UUID:
    return key_row_of(api).organisation_id
