"""Without the cache, the mails or the database: what people are told and can still do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from korely.embedded.stack import Stack
from tests.api_client import wait_for
from tests.dashboard.records import let_limits_pass
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, address, words


@pytest.fixture
def without_cache(house: Stack, gathered: Team) -> Iterator[Stack]:
    house.hold("valkey")
    yield house
    house.release("valkey")
    wait_for("the cache", lambda: _counts_again(house))


@pytest.fixture
def without_mail(house: Stack) -> Iterator[Stack]:
    """The mail folder cannot be written to."""
    folder, kept = house.data_dir / "mail", house.data_dir / "mail.kept"
    folder.rename(kept)
    folder.touch()
    yield house
    folder.unlink()
    kept.rename(folder)


def _counts_again(house: Stack) -> bool:
    try:
        let_limits_pass(house)
    except redis.RedisError:
        return False
    return True


def test_without_the_cache_people_sign_in_and_guessing_is_stopped(
    without_cache: Stack, gathered: Team
) -> None:
    person = Visitor(without_cache, gathered.member.email)
    assert person.sign_in().headers["location"] == "/dashboard/"
    said = []
    for guess in range(7):
        page = Visitor(without_cache, gathered.admin.email).sign_in(f"guess {guess}")
        assert page.status_code == 200
        said.append("Too many failed login attempts" in words(page))
    assert said == [False] * 5 + [True] * 2


def test_a_mail_that_cannot_go_is_told_and_what_was_done_stands(
    without_mail: Stack, gathered: Team
) -> None:
    let_limits_pass(without_mail)
    team, guest = gathered.again(), address()
    told = team.invite(team.owner, guest, "member")
    assert told.status_code == 302
    assert "The mail could not be sent" in team.owner.text(team.page)
    asked = Visitor(without_mail).post("/account/password/reset/", {"email": guest})
    assert asked.status_code == 503
    assert "The e-mail could not be sent" in words(asked)
    logs = "".join(file.read_text() for file in (without_mail.data_dir / "logs").glob("*.log"))
    assert '"mail.failed"' in logs
    assert guest not in logs


def test_without_the_database_a_page_says_so_and_comes_back(house: Stack, gathered: Team) -> None:
    path = gathered.page
    house.hold("postgres")
    try:
        page = gathered.owner.get(path)
    finally:
        house.release("postgres")
    assert page.status_code == 503
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["retry-after"] == "5"
    assert "Nothing was changed" in words(page)
    wait_for("the page", lambda: gathered.owner.get(path).status_code == 200)
