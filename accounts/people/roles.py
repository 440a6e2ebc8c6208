"""What each role may do in an organisation.

Everyone sees memories, and writes them. Owners and admins keep keys, webhooks, projects and the
team, see the audit log and erase. The plan and the account itself are the owners'.

Owners manage everyone. Admins manage admins and members, and make no owners. Members see who is
there. Anyone may leave, but for the last owner.
"""

from __future__ import annotations

from enum import StrEnum

from accounts.models import Role


class Permission(StrEnum):
    """What a page or an act of the dashboard asks for."""

    READ_MEMORIES = "read_memories"
    WRITE_MEMORIES = "write_memories"
    ERASE = "erase"
    MANAGE_KEYS = "manage_keys"
    MANAGE_WEBHOOKS = "manage_webhooks"
    MANAGE_PROJECTS = "manage_projects"
    MANAGE_TEAM = "manage_team"
    SEE_AUDIT = "see_audit"
    CHANGE_PLAN = "change_plan"
    DELETE_ACCOUNT = "delete_account"


_EVERYONE = frozenset({Permission.READ_MEMORIES, Permission.WRITE_MEMORIES})
_OWNERS_ALONE = frozenset({Permission.CHANGE_PLAN, Permission.DELETE_ACCOUNT})
_ALLOWED = {
    Role.OWNER: frozenset(Permission),
    Role.ADMIN: frozenset(Permission) - _OWNERS_ALONE,
    Role.MEMBER: _EVERYONE,
}


def allows(role: str, permission: Permission) -> bool:
    """Whether someone of `role` may do that."""
    return permission in _ALLOWED[Role(role)]


_MANAGED = {
    Role.OWNER: frozenset(Role),
    Role.ADMIN: frozenset({Role.ADMIN, Role.MEMBER}),
    Role.MEMBER: frozenset[Role](),
}


def managed_by(role: str) -> frozenset[Role]:
    """The roles that someone of `role` may give, take and remove."""
    return _MANAGED[Role(role)]
