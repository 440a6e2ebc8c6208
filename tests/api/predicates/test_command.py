"""`manage.py predicates`."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError

from korely.embedded.stack import Stack
from tests.api.predicates.acts import predicates, put, reread, write
from tests.api_client import Box
from tests.operations import command, manage


def test_the_command_lists_sets_what_is_given_and_removes(stack: Stack, fresh: Box) -> None:
    assert predicates(fresh, "list") == ""
    put(fresh, "trusts", "--family", "people", "--opposite", "distrusts", "--synonym", "relies on")
    line = "trusts  people  many  opposite: distrusts  synonyms: relies_on"
    assert manage(stack, "predicates", "--project", fresh.project["id"], "list").strip() == line
    assert put(fresh, "trusts") == line
    assert put(fresh, "distrusts", "--family", "people") == (
        "distrusts  people  many  opposite: trusts"
    )
    assert put(fresh, "trusts", "--no-opposite", "--no-synonyms") == "trusts  people  many"
    assert predicates(fresh, "list").splitlines() == [
        "distrusts  people  many",
        "trusts  people  many",
    ]
    predicates(fresh, "remove", "trusts")
    reread(fresh)
    assert predicates(fresh, "list").strip() == "distrusts  people  many"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["set", "employer"], "name: is read as works_at"),
        (["set", "two words"], "name: must be snake_case"),
        (["set", "x", "--opposite", "likes"], "opposite: likes is the opposite of dislikes"),
        (
            ["set", "x", "--single", "--opposite", "y"],
            "opposite: a predicate of one value",
        ),
        (["set", "x", "--synonym", "enjoys"], "synonyms: one of them means likes"),
        (["remove", "x"], "the project says nothing of this predicate"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    fresh: Box, words: list[str], why: str
) -> None:
    with pytest.raises(CommandError, match=why):
        predicates(fresh, *words)
    assert predicates(fresh, "list") == ""
    assert write(fresh.api, "likes", "tea")["predicate"] == "likes"


@pytest.mark.parametrize("project", ["x", "prj_" + "0" * 32])
def test_an_unknown_project_is_refused(stack: Stack, project: str) -> None:
    with pytest.raises(CommandError, match="no such project"):
        command("predicates", "--project", project, "list")
