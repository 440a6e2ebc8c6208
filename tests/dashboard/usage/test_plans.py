"""Another plan: asked for, withdrawn, granted, declined."""

from __future__ import annotations

from functools import partial

import pytest

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.concurrency.at_once import at_once
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.usage.account import Account, account_on
from tests.dashboard.visitor import words


@pytest.fixture
def account(gathered: Team) -> Account:
    return account_on(gathered, writes_per_month=5)


def wishes(account: Account) -> list[tuple[str, str, str]]:
    """Plan, state and note, oldest first."""
    found = rows(
        account.team.house,
        "SELECT plan_id, state, note FROM billing_planrequest WHERE organisation_id = %s"
        " ORDER BY created_at, id",
        account.team.organisation,
    )
    return [(plan, state, note) for plan, state, note in found]


def acts(account: Account) -> list[tuple[str, str]]:
    found = rows(
        account.team.house,
        "SELECT action, result FROM billing_auditevent WHERE project_id = %s"
        " AND action <> 'dashboard' ORDER BY ts, id",
        account.team.project,
    )
    return [(action, result) for action, result in found]


def test_an_owner_asks_once_withdraws_and_asks_again(account: Account) -> None:
    owner, path = account.team.owner, f"{account.page}plan/"
    note = '<img src=x onerror=alert(1)> {{7*7}} "more"'
    asked = owner.post(path, {"plan": "team", "note": note})
    assert asked.headers["location"] == path
    assert wishes(account) == [("team", "open", note)]
    page = owner.get(path)
    assert "Asked for team on" in words(page)
    assert "<img" not in page.text
    assert note in words(page)
    again = owner.post(path, {"plan": "scale"}, page="/account/email/")
    assert again.status_code == 409
    assert "withdraw that first" in words(again)
    withdraw = page.text.split('action="')[1].split('"')[0]
    assert owner.post(withdraw, page=path).status_code == 302
    assert owner.post(withdraw, page=path).status_code == 302  # over already: said, nothing done
    assert wishes(account) == [("team", "withdrawn", note)]
    assert owner.post(path, {"plan": "scale"}).status_code == 302
    assert wishes(account)[1:] == [("scale", "open", "")]
    assert acts(account) == [
        ("plan_request", "ok"),
        ("plan_request_withdraw", "ok"),
        ("plan_request", "ok"),
    ]


def test_who_is_no_owner_sees_the_plans_and_asks_for_none(account: Account) -> None:
    path = f"{account.page}plan/"
    for person in (account.team.admin, account.team.member):
        told = person.text(path)
        assert "Owners ask for another plan" in told
        assert "100,000" in told
        denied = person.post(path, {"plan": "team"}, page="/account/email/")
        assert denied.status_code == 403
    assert wishes(account) == []


def test_what_is_no_other_plan_is_refused(account: Account) -> None:
    owner, path = account.team.owner, f"{account.page}plan/"
    long = {"plan": "team", "note": "x" * 501}
    for data in ({"plan": account.plan}, {"plan": "none"}, {}, {"plan": "self_hosted"}, long):
        answer = owner.post(path, data)
        assert answer.status_code == 422, data
    assert owner.post(path, {"plan": "team", "note": "a\x00b"}).status_code == 422
    assert wishes(account) == []


def test_a_plan_made_for_one_customer_is_theirs_alone_to_see(
    account: Account, gathered: Team
) -> None:
    other = account_on(gathered, writes_per_month=6)
    page = account.team.owner.text(f"{account.page}plan/")
    assert f"{account.plan} Yours" in page  # one's own
    assert other.plan not in page
    assert [page.count(f" {slug} ") > 0 for slug in ("hobby", "developer", "team", "scale")] == [
        True
    ] * 4
    asked = account.team.owner.post(f"{account.page}plan/", {"plan": other.plan})
    assert asked.status_code == 422
    assert wishes(account) == []


def test_the_service_takes_no_wish_for_what_is_not_offered(stack: Stack) -> None:
    from accounts import services
    from accounts.models import Membership, Person, Role
    from accounts.people.acting import Member
    from accounts.services.plan_requests import ask_for_plan
    from billing.models import Plan, PlanRequest
    from korely.kernel.errors import Refusal

    organisation, _ = services.create_organisation(name=unique("o"), plan="hobby")
    person = Person.objects.create_user(f"{unique('p')}@people.example")
    Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
    made = Plan.objects.create(slug=unique("plan"))
    for slug in (made.slug, "self_hosted", "none"):
        with pytest.raises(Refusal, match="422 invalid_request"):
            ask_for_plan(member=Member(organisation.id, person.id, None), slug=slug)
    assert not PlanRequest.objects.filter(organisation=organisation).exists()


def test_of_wishes_at_once_one_stays(account: Account) -> None:
    owner, path = account.team.owner, f"{account.page}plan/"
    ask = partial(owner.post, path, {"plan": "team"}, page="/account/email/")
    codes = sorted(answer.status_code for answer in at_once([ask] * 3))
    assert codes == [302, 409, 409]
    assert len(wishes(account)) == 1


def test_a_wish_of_another_organisation_is_not_withdrawn(account: Account, gathered: Team) -> None:
    other = account_on(gathered, writes_per_month=5)
    assert other.team.owner.post(f"{other.page}plan/", {"plan": "team"}).status_code == 302
    ((wish,),) = rows(
        account.team.house,
        "SELECT id FROM billing_planrequest WHERE organisation_id = %s",
        other.team.organisation,
    )
    path = f"{account.page}plan/"
    answer = account.team.owner.post(f"{path}{wish}/withdraw/", page=path)
    assert answer.status_code == 302
    assert [state for _, state, _ in wishes(other)] == ["open"]


def test_without_limits_there_is_nothing_to_ask_for(gathered: Team) -> None:
    account = account_on(gathered)
    path = f"{account.page}plan/"
    told = account.team.owner.text(path)
    assert "no limit" in told
    assert "scale" not in told
    assert "Ask for another plan" not in told
    answer = account.team.owner.post(path, {"plan": "scale"}, page="/account/email/")
    assert answer.status_code == 422
    assert wishes(account) == []
