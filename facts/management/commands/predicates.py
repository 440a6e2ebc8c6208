"""What a project's facts are read with beyond the built-in table."""

from __future__ import annotations

import uuid
from argparse import BooleanOptionalAction
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Project
from facts import selectors, services
from facts.vocabulary import FAMILIES, Fault, Predicate
from korely.kernel import ids
from korely.kernel.tenancy import project_scope


class Command(BaseCommand):
    help = (
        "The predicates of a project: list, set or remove what it adds to the built-in table, or"
        " has in place of it. A change holds for every write after it; earlier facts are read anew"
        " in the background."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, help="its id, prj_…")
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="print them, and whether earlier facts are still being read")
        put = acts.add_parser("set", help="what is not given stays as it is")
        put.add_argument("name", help="snake_case")
        put.add_argument("--family", choices=FAMILIES)
        put.add_argument(
            "--single",
            action=BooleanOptionalAction,
            help="whether there is one value at a time: a new one ends the old one",
        )
        pair = put.add_mutually_exclusive_group()
        pair.add_argument("--opposite", help="a predicate that the same object ends")
        pair.add_argument("--no-opposite", action="store_true")
        words = put.add_mutually_exclusive_group()
        words.add_argument(
            "--synonym", action="append", help="another wording; give all of them, each by itself"
        )
        words.add_argument("--no-synonyms", action="store_true")
        acts.add_parser("remove", help="leave it to the built-in table").add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        project_id = ids.parse(ids.PROJECT, options["project"])
        if project_id is None or not Project.objects.filter(pk=project_id).exists():
            raise CommandError("no such project")
        match options["act"]:
            case "list":
                self._list(project_id)
            case "set":
                self._set(project_id, options)
            case "remove":
                if not services.remove_predicate(project_id=project_id, name=options["name"]):
                    raise CommandError("the project says nothing of this predicate")
                self.stdout.write(f"{options['name']} is what the built-in table says")

    def _list(self, project_id: uuid.UUID) -> None:
        with project_scope(project_id):
            entries = selectors.list_predicates()
        for entry in entries:
            self.stdout.write(_line(entry))
        if services.rereads(project_id=project_id):
            self.stdout.write("earlier facts are being read anew")

    def _set(self, project_id: uuid.UUID, options: dict[str, Any]) -> None:
        with project_scope(project_id):
            now = selectors.read_vocabulary().entry(options["name"])
        opposite = None if options["no_opposite"] else options["opposite"] or now.opposite
        synonyms = [] if options["no_synonyms"] else options["synonym"] or now.synonyms
        try:
            entry = services.set_predicate(
                project_id=project_id,
                name=options["name"],
                family=options["family"] or now.family,
                single=now.single if options["single"] is None else options["single"],
                opposite=opposite,
                synonyms=synonyms,
            )
        except Fault as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(_line(entry))


def _line(entry: Predicate) -> str:
    return "  ".join(_parts(entry))


def _parts(entry: Predicate) -> Iterator[str]:
    yield entry.name
    yield entry.family
    yield "single" if entry.single else "many"
    if entry.opposite is not None:
        yield f"opposite: {entry.opposite}"
    if entry.synonyms:
        yield f"synonyms: {', '.join(entry.synonyms)}"
