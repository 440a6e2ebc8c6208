"""`project_scope`: what the next request on the same connection sees."""

from __future__ import annotations

import uuid

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box


@pytest.fixture
def project(fresh: Box) -> uuid.UUID:
    fresh.api.add("A memory in scope.")
    return uuid.UUID(fresh.project["id"].removeprefix("prj_"))


def setting() -> str | None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('korely.project_id', true)")
        return cursor.fetchone()[0]


def test_a_scope_shows_one_project_and_leaves_nothing_behind(project: uuid.UUID) -> None:
    from korely.kernel.tenancy import project_scope
    from memories.models import Memory

    with project_scope(project):
        assert Memory.objects.count() == 1
        assert setting() == project.hex
    assert not setting()


def test_a_tenant_model_outside_a_scope_raises(stack: Stack) -> None:
    from korely.kernel.tenancy import NoScope
    from memories.models import Memory

    with pytest.raises(NoScope):
        Memory.objects.count()


def test_a_nested_scope_gives_the_outer_one_back(project: uuid.UUID) -> None:
    from korely.kernel.tenancy import current_project, project_scope
    from memories.models import Memory

    with project_scope(project):
        with project_scope(uuid.uuid4()):
            assert Memory.objects.count() == 0
        assert current_project() == project
        assert Memory.objects.count() == 1


def test_an_error_inside_a_scope_is_the_one_that_surfaces(project: uuid.UUID) -> None:
    from django.db import DataError, connection

    from korely.kernel.tenancy import NoScope, current_project, project_scope

    with (
        pytest.raises(DataError),
        project_scope(project),
        project_scope(uuid.uuid4()),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT 1 / 0")
    assert not setting()
    with pytest.raises(NoScope):
        current_project()


def test_what_an_interrupted_scope_left_behind_opens_nothing(project: uuid.UUID) -> None:
    from korely.kernel import tenancy
    from memories.models import Memory

    left = tenancy._current.set(project)  # as a signal between two lines may leave it
    try:
        assert Memory.objects.count() == 0
        with tenancy.project_scope(project):
            assert Memory.objects.count() == 1
    finally:
        tenancy._current.reset(left)


def test_only_the_audit_event_of_a_read_does_not_wait_for_the_disk(project: uuid.UUID) -> None:
    from django.db import connection

    from korely.kernel.tenancy import project_scope, reading_scope, writing_scope

    def waits() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            return str(cursor.fetchone()[0])

    with reading_scope(project):
        assert waits() == "off"
    with project_scope(uuid.uuid4()), reading_scope(project):
        assert waits() == "on"  # it is part of whatever is written around it
    with project_scope(project):
        assert waits() == "on"
    with writing_scope(project):
        assert waits() == "on"
