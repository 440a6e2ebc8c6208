"""Accounts (organisations), projects, API keys and people. Control tables: no customer text."""

from accounts.models.keys import ApiKey
from accounts.models.memberships import Invitation, Membership, Role
from accounts.models.operators import OperatorAct
from accounts.models.organisations import Organisation
from accounts.models.people import Person
from accounts.models.projects import Project
from accounts.models.sign_ups import SignUpCount
from accounts.models.unseen import UnseenSecret

__all__ = [
    "ApiKey",
    "Invitation",
    "Membership",
    "OperatorAct",
    "Organisation",
    "Person",
    "Project",
    "Role",
    "SignUpCount",
    "UnseenSecret",
]
