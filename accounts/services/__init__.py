"""Accounts, projects and API keys: writes."""

from accounts.services.bootstrap import bootstrap
from accounts.services.keys import NewKey, create_key, mint_key, revoke_key
from accounts.services.plans import add_top_up, change_plan
from accounts.services.projects import create_organisation, create_project

__all__ = [
    "NewKey",
    "add_top_up",
    "bootstrap",
    "change_plan",
    "create_key",
    "create_organisation",
    "create_project",
    "mint_key",
    "revoke_key",
]
