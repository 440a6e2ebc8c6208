"""Add a pepper, see which keys use which, take an old one out."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.selectors import keys_by_pepper
from korely.embedded.errors import StartError
from korely.embedded.secret_values import changing, read_secret_values, write_secret_values
from korely.kernel import hashing
from korely.settings.environment import data_directory

BYTES = 32


class Command(BaseCommand):
    help = (
        "Add a new pepper for the hashes of API keys. On an embedded install it goes to the data"
        " directory, elsewhere the new value of KORELY_PEPPERS is printed. Once it is current, each"
        " key moves to it at its next use; --retire takes the old one out when no key needs it."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--status", action="store_true", help="count the keys of each pepper")
        what.add_argument("--retire", type=int, metavar="N", help="take pepper N out")
        parser.add_argument(
            "--force",
            action="store_true",
            help="with --retire: though live keys depend on it; none is revoked, but they are dead",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["force"] and options["retire"] is None:
            raise CommandError("--force goes with --retire")
        if options["status"]:
            self._show()
        elif options["retire"] is not None:
            self._retire(options["retire"], force=options["force"])
        else:
            self._add()

    def _add(self) -> None:
        with self._peppers() as peppers:
            newest = max(peppers)
            if newest not in hashing.peppers():
                raise CommandError(f"Pepper {newest} is there already and waits for a restart")
            if newest == hashing.MAX_PEPPER:
                raise CommandError("There is no higher number for a pepper")
            peppers[newest + 1] = secrets.token_hex(BYTES)
        self._say(
            f"Pepper {newest + 1} is new. A restart with it makes it current: it signs new keys,"
            " and every other key moves to it at its next use (--status shows how far that is)."
        )
        if _embedded_file() is None:
            self._say(
                f"Where several servers run, restart them all with KORELY_PEPPER_CURRENT={newest}"
                " first and without it afterwards: a server refuses keys of a pepper it does not"
                " know."
            )

    def _retire(self, number: int, *, force: bool) -> None:
        with self._peppers() as peppers:
            if number not in peppers:
                raise CommandError(f"There is no pepper {number}")
            if number == hashing.current_pepper() or number == max(peppers):
                raise CommandError(f"Pepper {number} signs new keys: add another one first")
            live = next((use.live for use in keys_by_pepper() if use.pepper == number), 0)
            if live and not force:
                raise CommandError(
                    f"{_keys(live)} still depend on pepper {number}. Each moves on at its next use;"
                    " rotate or revoke those that are not used, or pass --force: it revokes"
                    " nothing, but those keys are refused from then on."
                )
            del peppers[number]
        self._say(f"Pepper {number} is taken out; a restart without it makes that so.")
        if live:
            self._say(f"{_keys(live)} depended on it and will be refused. None was revoked.")

    def _show(self) -> None:
        path = _embedded_file()
        known = hashing.peppers()
        stored = hashing.read_peppers(read_secret_values(path).peppers) if path else known
        uses = {use.pepper: use for use in keys_by_pepper()}
        for number in sorted({*stored, *known, *uses}):
            live, others = (uses[number].live, uses[number].others) if number in uses else (0, 0)
            if number == hashing.current_pepper():
                note = "current"
            elif number in stored:
                note = "old" if number in known else "new, waits for a restart"
            else:
                note = "taken out, until a restart" if number in known else "not known here"
            self.stdout.write(f"pepper {number}: {_keys(live)}, {others} others ({note})")

    @contextmanager
    def _peppers(self) -> Iterator[dict[int, str]]:
        """The peppers to change: stored in the data directory, or printed, when the block ends."""
        path = _embedded_file()
        if path is None:
            peppers = hashing.read_peppers(settings.KORELY_PEPPERS)
            yield peppers
            self.stdout.write(f"KORELY_PEPPERS={hashing.write_peppers(peppers)}")
            return
        try:
            with changing(path) as values:
                peppers = hashing.read_peppers(values.peppers)
                yield peppers
                changed = replace(values, peppers=hashing.write_peppers(peppers))
                write_secret_values(path, changed)
        except StartError as error:
            raise CommandError(str(error)) from None

    def _say(self, text: str) -> None:
        """To standard error: standard output holds nothing but a value to set."""
        self.stderr.write(text, self.style.NOTICE)


def _keys(count: int) -> str:
    return f"{count} live key" if count == 1 else f"{count} live keys"


def _embedded_file() -> Path | None:
    """The file of secrets of the embedded install that this process works on, if it is one.

    A data directory may lie beside an install of one's own: theirs share no pepper.
    """
    path = data_directory() / "secrets.json"
    try:
        if not path.exists():
            return None
        stored = hashing.read_peppers(read_secret_values(path).peppers)
    except (OSError, StartError, ValueError) as error:
        raise CommandError(str(error)) from None
    known = hashing.peppers()
    shared = any(known.get(n) == bytes.fromhex(value) for n, value in stored.items())
    return path if shared else None
