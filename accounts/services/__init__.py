"""Accounts, projects and API keys: writes."""

from accounts.services.bootstrap import bootstrap
from accounts.services.keys import NewKey, create_key, mint_key, revoke_key
from accounts.services.projects import create_organisation, create_project

__all__ = [
    "NewKey",
    "bootstrap",
    "create_key",
    "create_organisation",
    "create_project",
    "mint_key",
    "revoke_key",
]
