"""Projects archived, renamed and deleted at the same instant as something else."""

from __future__ import annotations

from tests.api_client import ok, refused, unique
from tests.concurrency.at_once import at_once, clients, statuses

PROJECTS = "/admin/projects"


def test_a_key_is_never_made_in_a_project_that_is_being_archived(boot):
    pair = clients(boot, 2)
    for _ in range(8):
        made = ok(boot.post(PROJECTS, {"name": unique("p")}), 201)
        archived, key = at_once(
            [
                lambda made=made: pair[0].post(f"{PROJECTS}/{made['id']}/archive"),
                lambda made=made: pair[1].post(
                    "/admin/keys", {"name": unique("k"), "project_id": made["id"]}
                ),
            ]
        )
        assert {archived.status_code, key.status_code} in ({200, 409}, {409, 201})


def test_a_key_made_in_a_project_that_is_being_deleted_moves_along_or_is_refused(boot):
    pair = clients(boot, 2)
    for _ in range(8):
        made = ok(boot.post(PROJECTS, {"name": unique("p")}), 201)
        deleted, key = at_once(
            [
                lambda made=made: pair[0].delete(f"{PROJECTS}/{made['id']}"),
                lambda made=made: pair[1].post(
                    "/admin/keys", {"name": unique("k"), "project_id": made["id"]}
                ),
            ]
        )
        moved = ok(deleted)["keys_moved"]
        assert (key.status_code, moved) in {(201, 1), (404, 0), (503, 0)}


def test_of_many_changes_to_one_name_one_gets_it(boot, uid):
    made = [ok(boot.post(PROJECTS, {"name": unique("p")}), 201) for _ in range(6)]
    pairs = zip(clients(boot, 6), made, strict=True)
    answers = at_once(
        [lambda c=c, p=p: c.patch(f"{PROJECTS}/{p['id']}", {"name": uid}) for c, p in pairs]
    )
    assert statuses(answers) == [200] + [409] * 5


def test_of_many_erasures_of_one_project_one_counts_its_rows(boot, fresh):
    fresh.api.told("I live in Rome.", "u")
    path = f"{PROJECTS}/{fresh.project['id']}"
    answers = at_once([lambda c=c: c.delete(path, erase="true") for c in clients(boot, 6)])
    assert statuses(answers) == [200] + [404] * 5
    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert (won["memories_deleted"], won["facts_deleted"], won["keys_moved"]) == (1, 1, 1)
    refused(boot.patch(path, {"name": unique("p")}), 404, "not_found")
