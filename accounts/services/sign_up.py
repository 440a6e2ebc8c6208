"""Accounts that agents make for themselves, a few a day from one network (contract, section 16)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.db import connection, transaction

from accounts.audit import record_in
from accounts.services.keys import NewKey, mint_key
from accounts.services.projects import create_organisation
from billing.models import Plan
from korely.kernel import errors, hashing, ids
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.clock import day, now

log = structlog.get_logger(__name__)

NAME = "Agent account"
NAME_LENGTH = 100
KEY_NAME = "first"

# The row's lock makes sign-ups of one network wait for each other; a count at the limit stays.
_COUNT = """
    INSERT INTO accounts_signupcount AS c (network, day, accounts) VALUES (%s, %s, 1)
    ON CONFLICT (network) DO UPDATE SET accounts = c.accounts + 1 WHERE c.accounts < %s
"""
# Yesterday's are of no use; those that another sign-up is taking away already are left to it.
_FORGET = """
    DELETE FROM accounts_signupcount WHERE network IN (
        SELECT network FROM accounts_signupcount WHERE day < %s FOR UPDATE SKIP LOCKED
    )
"""


@dataclass(frozen=True, slots=True)
class SignedUp:
    """What came of a sign-up: the account's plan, and its key, this once."""

    plan: Plan
    made: NewKey


def require_sign_up_plan() -> Plan:
    """The plan of new accounts. Raises ValueError when SIGNUP_PLAN names none."""
    plan = Plan.objects.filter(slug=settings.SIGNUP_PLAN).first()
    if plan is None:
        raise ValueError(f"SIGNUP_PLAN is {settings.SIGNUP_PLAN!r}, and there is no such plan")
    return plan


def network_of(ip: str | None) -> str:
    """What sign-ups are counted by: an IPv4 address, or an IPv6 /64.

    Callers without an address (behind a Unix socket) are one network.
    """
    if ip is None:
        return "unknown"
    address = ipaddress.ip_address(ip)
    if address.version == 4:
        return str(address)
    return str(ipaddress.IPv6Network((address.packed, 64), strict=False))


def sign_up_agent(
    *, agent_caller: str | None, processing_region: str | None, ip: str | None
) -> SignedUp:
    """A new account with its default project and one read-write key, and nobody to log in.

    It is named after `agent_caller`, cut to 100 characters. The count and the account are one
    transaction: an account that could not be made is not counted.

    Raises:
        Refusal: 403 `signup_disabled` unless the operator opened sign-up, and while the plan of
            new accounts does not exist; 429 `signup_rate_limited` when the caller's network made
            all the accounts of this UTC day.
    """
    if not settings.KORELY_SIGNUP:
        raise errors.signup_disabled()
    try:
        plan = require_sign_up_plan()
    except ValueError:
        log.error("signup.plan_missing")
        raise errors.signup_disabled() from None
    with transaction.atomic():
        _count(network_of(ip))
        organisation, project = create_organisation(
            name=(agent_caller or "")[:NAME_LENGTH].strip() or NAME,
            plan=plan.slug,
            region=processing_region,
        )
        made = mint_key(
            organisation_id=organisation.id,
            project_id=project.id,
            name=KEY_NAME,
            scopes=(READ, WRITE),
        )
        caller = Caller(organisation_id=organisation.id, project_id=project.id, ip=ip)
        record_in(project.id, caller, "key_create", ids.wire(ids.KEY, made.row.id))
    log.info("organisation.signed_up", organisation=organisation.id.hex)
    return SignedUp(plan, made)


def _count(network: str) -> None:
    today = day(now())
    most = settings.KORELY_SIGNUPS_PER_DAY
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [today])
        if most > 0:
            cursor.execute(_COUNT, [hashing.daily_network(network, today), today, most])
        if most <= 0 or cursor.rowcount != 1:
            raise errors.signup_rate_limited()
