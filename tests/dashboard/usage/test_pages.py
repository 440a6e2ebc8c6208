"""The pages' numbers are the API's."""

from __future__ import annotations

import csv
import io
import re
import uuid
from datetime import UTC, datetime

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, refused, unique, wait_for
from tests.dashboard.keyring import key_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.usage.account import Account, account_on
from tests.dashboard.visitor import Visitor, settled, words


def file_of(account: Account, by: Visitor) -> list[dict[str, str]]:
    answer = by.get(f"{account.page}export.csv")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(
        r'attachment; filename="usage-\d{4}-\d\d\.csv"', answer.headers["content-disposition"]
    )
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def finish(api: Api, items: list[str]) -> None:
    job = ok(api.post("/v1/batch", {"memories": [{"content": one} for one in items]}), 202)
    wait_for("the batch", lambda: ok(api.get(f"/v1/batch/{job['id']}"))["status"] == "completed")


def test_after_calls_refunds_and_a_batch_the_numbers_are_those_of_the_api(gathered: Team) -> None:
    account = account_on(gathered, writes_per_month=5, queries_per_month=3, agents=4)
    api, owner = account.api, account.team.owner
    made = api.add("I like soup.", user_id="u", agent_id="bot")
    stale = {"content": "I like tea.", "expected_updated_at": "2020-01-01T00:00:00Z"}
    refused(api.patch(f"/v1/memories/{made['id']}", stale), 409, "stale_write")
    refused(api.post("/v1/memories", {"content": ""}), 422, "invalid_request")
    finish(api, ["I like plates.", " ", "I like bowls."])  # the blank one is given back
    ok(api.get("/v1/facts"))
    told = owner.text(account.page)
    assert "3 of 5 writes · resets 1 " in told
    assert "1 of 3 queries" in told
    assert "1 of 4 agents" in told
    assert "3 writes and 1 query in" in told

    for _ in range(2):
        api.add("I like cups.", user_id="u")
        ok(api.get("/v1/facts"))
    spent = refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    asked = refused(api.get("/v1/facts"), 429, "quota_exceeded")
    told = owner.text(account.page)
    assert f"{spent['used']} of {spent['limit']} writes" in told
    assert f"{asked['used']} of {asked['limit']} queries" in told
    resets = datetime.fromisoformat(spent["resets_at"])
    assert f"resets {resets.day} {resets:%B}" in told
    assert f"All writes of {datetime.now(UTC):%B} are used." in told
    assert "Ask for another plan" in told

    counted = file_of(account, owner)
    assert [(one["kind"], one["count"], one["project"]) for one in counted] == [
        ("writes", "5", "Default"),
        ("queries", "3", "Default"),
    ]
    # A top-up is part of the limit at once.
    account.execute(
        "INSERT INTO billing_topup (id, organisation_id, month, writes, queries, note, created_at)"
        " VALUES (%s, %s, date_trunc('month', now())::date, 2, 0, '', now())",
        uuid.uuid4(),
        account.team.organisation,
    )
    told = owner.text(account.page)
    assert "5 of 7 writes" in told
    assert "Added to this month: 2 writes on" in told
    api.add("I like forks.")


def test_days_are_shown_by_project_and_by_key(gathered: Team) -> None:
    account = account_on(gathered, writes_per_month=50, queries_per_month=50)
    team, owner = account.team, account.team.owner
    other_project, name = str(uuid.uuid4()), '=HYPERLINK("//evil.example")'
    account.execute(
        "INSERT INTO accounts_project (id, organisation_id, name, description, is_default,"
        " created_at) VALUES (%s, %s, %s, '', false, now())",
        other_project,
        team.organisation,
        name,
    )
    other = key_of(team.house, team.organisation, other_project)
    account.api.add("I like soup.")
    for _ in range(2):
        ok(other.get("/v1/facts"))
    assert "1 write and 2 queries in" in owner.text(account.page)
    ((key,),) = rows(
        team.house, "SELECT id FROM accounts_apikey WHERE project_id = %s", other_project
    )
    for query in (f"project={other_project}", f"key={key}"):
        assert "0 writes and 2 queries in" in owner.text(f"{account.page}?{query}")
    assert "1 write and 0 queries in" in owner.text(f"{account.page}?project={team.project}")
    unused = f"{account.page}?key={key}&project={team.project}"
    assert "No usage of that choice" in owner.text(unused)
    page = owner.get(f"{account.page}?project={other_project}").text
    table = page[page.index("<tfoot>") :]
    assert re.findall(r'class="number">([\d,]+)<', table)[:2] == ["0", "2"]
    assert {one["project"] for one in file_of(account, owner)} == {"Default", f"'{name}"}
    for query in ("month=2026-13", "month=0001-01", "month=x", "key=%00", "project=%00"):
        assert owner.get(f"{account.page}?{query}").status_code == 404, query


def test_months_before_are_listed_and_their_days_can_be_opened(gathered: Team) -> None:
    account = account_on(gathered)
    before = rows(
        account.team.house, "SELECT (date_trunc('month', now()) - interval '1 month')::date"
    )[0][0]
    account.execute(
        "INSERT INTO billing_usage (id, organisation_id, month, writes, queries)"
        " VALUES (%s, %s, %s, 4321, 7)",
        uuid.uuid4(),
        account.team.organisation,
        before,
    )
    told = account.team.owner.text(account.page)
    assert f"{before:%B %Y} 4,321 7" in told
    opened = account.team.owner.text(f"{account.page}?month={before:%Y-%m}")
    assert "The month as a whole has 4,321 writes and 7 queries" in opened


def test_without_limits_there_are_words_and_no_bars(gathered: Team) -> None:
    account = account_on(gathered)
    account.api.add("I like soup.")
    page = account.team.owner.get(account.page)
    assert "1 used, no limit" in words(page)
    assert 'class="meter' not in page.text
    assert "No limit: requests are not counted." in account.team.owner.text(
        f"{account.page}limits/"
    )


def test_rate_limits_are_told_as_the_headers_tell_them_and_looking_counts_nothing(
    gathered: Team,
) -> None:
    account = account_on(gathered, per_minute=50, per_day=4)
    for _ in range(3):
        account.api.get("/v1/facts")
    for _ in range(2):
        told = account.team.member.text(f"{account.page}limits/")
        assert "3 of 50 requests this minute" in told
        assert "3 of 4 requests this day" in told
    answer = account.api.get("/v1/facts")
    assert answer.headers["RateLimit-Remaining"] == "0"
    refused(account.api.get("/v1/facts"), 429, "rate_limit_exceeded")
    path = f"{account.page}limits/"
    today = f"{datetime.now(UTC).day} {datetime.now(UTC):%B %Y} 1"
    wait_for("the 429", lambda: today in account.team.member.text(path), 10)
    assert "5 of 4 requests this day" in account.team.member.text(path)


def test_another_organisation_s_pages_are_404(house: Stack, gathered: Team) -> None:
    account = account_on(gathered)
    stranger = settled(house, unique("Stranger"))
    for path in ("", "export.csv", "limits/", "plan/"):
        assert stranger.get(f"{account.page}{path}").status_code == 404
        assert account.team.member.get(f"{account.page}{path}").status_code == 200
