"""Accounts (organisations), their projects and API keys. Control tables: no customer text."""

from accounts.models.keys import ApiKey
from accounts.models.organisations import Organisation
from accounts.models.projects import Project

__all__ = ["ApiKey", "Organisation", "Project"]
