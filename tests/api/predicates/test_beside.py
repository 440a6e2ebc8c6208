"""Changes of predicates beside writers, dying workers, moves and deletions."""

from __future__ import annotations

import threading

import psycopg

from korely.embedded.stack import Stack
from tests.api.predicates.acts import ends, objects, predicates, put, reread, write
from tests.api.rows import left_in
from tests.api_client import Api, Box, ok
from tests.fact_calls import all_of
from tests.operations import command


def test_writers_beside_changes_leave_one_value_a_slot(stack: Stack, fresh: Box) -> None:
    stop = threading.Event()
    failed: list[str] = []

    def writer(number: int) -> None:
        api, turn = fresh.key(), 0
        while not stop.is_set():
            turn += 1
            body = {
                "user_id": f"u{turn % 3}",
                "subject": f"u{turn % 3}",
                "predicate": ("badge_level", "rank")[turn % 2],
                "object": f"{number}-{turn}",
            }
            answer = api.post("/v1/facts", body)
            if answer.status_code != 201:
                failed.append(answer.text)

    threads = [threading.Thread(target=writer, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    try:
        for words in (
            ["set", "badge_level", "--single"],
            ["set", "badge_level", "--synonym", "rank"],
            ["set", "badge_level", "--no-single"],
            ["remove", "badge_level"],
            ["set", "badge_level", "--single", "--synonym", "rank"],
        ):
            predicates(fresh, *words)
            reread(fresh)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failed == []
    reread(fresh)
    rows = fresh.api.facts(include_invalidated=True, limit=200)
    assert {row["predicate"] for row in rows} == {"badge_level"}
    for user in ("u0", "u1", "u2"):
        assert len(objects(fresh.api, user)) == 1
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"]) as connection:
        (unslotted,) = connection.execute(
            "SELECT count(*) FROM facts_fact WHERE project_id = %s AND slot IS NULL",
            [fresh.project["id"][4:]],
        ).fetchone()
    assert unslotted == 0


def test_a_worker_that_died_at_it_is_followed_by_another_that_ends_it(
    stack: Stack, fresh: Box
) -> None:
    """Half of the end users were read anew, and the row of work is still there."""
    from facts.services.rereading import reread_user
    from facts.vocabulary import Predicate, extended
    from korely.kernel.clock import now
    from korely.kernel.ids import parse
    from korely.kernel.tenancy import project_scope

    for user in ("u", "v"):
        write(fresh.api, "badge_level", "gold", user, valid_from="2024-01-01")
        write(fresh.api, "badge_level", "silver", user, valid_from="2025-01-01")
    project = parse("prj", fresh.project["id"])
    assert project is not None
    entry = Predicate("badge_level", "other", single=True)
    with project_scope(project):
        done = [
            reread_user(project_id=project, user_id="u", vocabulary=extended([entry]), now=now())
            for _ in range(2)
        ]
    assert [(one.facts, len(one.closed)) for one in done] == [(2, 1), (0, 0)]
    half = all_of(fresh.api, "u")
    put(fresh, "badge_level", "--single")
    assert all_of(fresh.api, "u") == half
    assert objects(fresh.api, "v") == ["silver"]


def test_a_project_moved_away_is_read_with_the_predicates_of_the_other(stack: Stack) -> None:
    from accounts import services
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name="Moved", plan="self_hosted")
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="admin", scopes=SCOPES
    )
    box = Box(Api(stack.base_url, made.key))
    put(box, "badge_level", "--single", "--synonym", "rank")
    write(box.api, "rank", "gold")
    home = command("predicates", "--project", f"prj_{project.id.hex}", "set", "rank", "--single")
    assert home.split() == ["rank", "other", "single"]
    write(box.boot, "rank", "tin", valid_from="2020-01-01")
    ok(box.boot.delete(f"/admin/projects/{box.project['id']}"))
    assert objects(box.boot, predicate="rank") == ["gold"]
    assert objects(box.boot, predicate="badge_level") == []
    assert ends(box.boot)["tin"][1:] == ("superseded", "gold")
    listed = command("predicates", "--project", f"prj_{project.id.hex}", "list")
    assert "badge_level" not in listed
    assert left_in(stack, box.project["id"], kept=()) == {}


def test_predicates_go_with_their_project(stack: Stack, fresh: Box) -> None:
    put(fresh, "badge_level", "--single")
    assert left_in(stack, fresh.project["id"])["facts_projectpredicate"] == 1
    predicates(fresh, "set", "badge_level", "--no-single")
    ok(fresh.boot.delete(f"/admin/projects/{fresh.project['id']}", erase="true"))
    assert left_in(stack, fresh.project["id"], kept=()) == {}
