from __future__ import annotations

from tests.api_client import ok, refused
from tests.concurrency.at_once import at_once, clients, statuses


def used(organisation: object) -> tuple[int, int]:
    from billing.models import Usage

    return Usage.objects.values_list("writes", "queries").get(organisation=organisation)


def test_of_30_writes_at_once_with_10_left_exactly_10_are_stored(account):
    api, organisation = account(writes_per_month=13)
    kept = [api.add(f"I like plate{n}.", user_id="u")["id"] for n in range(3)]
    body = {"content": "I like soup.", "user_id": "u"}
    answers = at_once([lambda c=c: c.post("/v1/memories", body) for c in clients(api, 30)])
    assert statuses(answers) == [201] * 10 + [429] * 20
    for answer in answers:
        if answer.status_code == 429:
            told = refused(answer, 429, "quota_exceeded")
            assert told["limit"] == 13
            assert told["used"] <= 13
            assert "retry-after" not in answer.headers
    kept += [answer.json()["id"] for answer in answers if answer.status_code == 201]
    assert ok(api.get("/v1/memories"))["total"] == 13
    assert used(organisation)[0] == 13
    at_once([lambda m=m: ok(api.delete(f"/v1/memories/{m}")) for m in kept])
    assert used(organisation)[0] == 13  # what was deleted is not given back
    refused(api.post("/v1/memories", body), 429, "quota_exceeded")


def test_of_20_reads_at_once_with_5_left_exactly_5_are_answered(account):
    api, organisation = account(queries_per_month=5)
    answers = at_once([lambda c=c: c.get("/v1/facts") for c in clients(api, 20)])
    assert statuses(answers) == [200] * 5 + [429] * 15
    assert used(organisation) == (0, 5)


def test_writes_that_fail_at_once_give_back_what_they_took_and_never_more(account):
    api, organisation = account(writes_per_month=4, agents=0)
    made = api.add("I like soup.", user_id="u")
    path, stale = f"/v1/memories/{made['id']}", "2020-01-01T00:00:00Z"
    body = {"content": "I like tea.", "expected_updated_at": stale}
    answers = at_once([lambda c=c: c.patch(path, body) for c in clients(api, 12)])
    assert statuses(answers) == [409] * 12
    assert used(organisation)[0] == 1


def test_a_plan_without_writes_stores_nothing(account):
    api, organisation = account(writes_per_month=0)
    body = {"content": "I like soup."}
    answers = at_once([lambda c=c: c.post("/v1/memories", body) for c in clients(api, 6)])
    assert statuses(answers) == [429] * 6
    assert ok(api.get("/v1/memories"))["total"] == 0
    assert used(organisation)[0] == 0


def test_of_12_new_agents_at_once_exactly_as_many_as_the_plan_has_are_taken(account):
    api, organisation = account(agents=3, writes_per_month=100)
    answers = at_once(
        [
            lambda c=c, n=n: c.post("/v1/memories", {"content": "x", "agent_id": f"agent{n}"})
            for n, c in enumerate(clients(api, 12))
        ]
    )
    assert statuses(answers) == [201] * 3 + [403] * 9
    for answer in answers:
        if answer.status_code == 403:
            told = refused(answer, 403, "agent_cap_exceeded")
            assert (told["cap"], told["used"]) == (3, 3)
    taken = [answer.json()["agent_id"] for answer in answers if answer.status_code == 201]
    assert used(organisation)[0] == 3
    for name in taken:
        api.add("once more", agent_id=name)
    refused(
        api.post("/v1/memories", {"content": "x", "agent_id": "late"}), 403, "agent_cap_exceeded"
    )


def test_one_new_agent_named_by_many_writes_at_once_takes_one_place(account):
    api, _ = account(agents=1)
    body = {"content": "x", "agent_id": "only"}
    answers = at_once([lambda c=c: c.post("/v1/memories", body) for c in clients(api, 10)])
    assert statuses(answers) == [201] * 10
