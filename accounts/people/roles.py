"""What each role may do in an organisation.

Owners manage everyone. Admins manage admins and members, and make no owners. Members see who is
there. Anyone may leave, but for the last owner.
"""

from __future__ import annotations

from accounts.models import Role

_MANAGED = {
    Role.OWNER: frozenset(Role),
    Role.ADMIN: frozenset({Role.ADMIN, Role.MEMBER}),
    Role.MEMBER: frozenset[Role](),
}


def managed_by(role: str) -> frozenset[Role]:
    """The roles that someone of `role` may give, take and remove."""
    return _MANAGED[Role(role)]
