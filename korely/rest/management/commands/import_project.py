"""An export stored again: one of this service, or one of another."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from korely.rest.transfer.foreign import (
    ORIGINS,
    ForeignLines,
    Records,
    Unreadable,
    make_origin,
)
from korely.rest.transfer.operating import Progress, operator_of
from korely.rest.transfer.reading import Lines
from korely.rest.transfer.report import Report
from memories import services
from memories.services import Imported, Line

OURS = "korely"
_SHOWN = 20  # of what was not stored


class Command(BaseCommand):
    help = (
        "Store an export in a project, as POST /v1/import does, or the export of another service."
        " Importing again stores only what is missing. No write is counted. Exit code 2 when the"
        " import came to its end but left something out that was to be stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="prj_…")
        parser.add_argument("file", help="- is standard input")
        parser.add_argument(
            "--from", dest="origin", choices=[OURS, *ORIGINS], default=OURS, help="default: korely"
        )
        parser.add_argument("--user-id", help="whose a foreign record is that names no end user")
        parser.add_argument(
            "--no-extract",
            action="store_true",
            help="store foreign memories without mining them for facts",
        )
        parser.add_argument("--dry-run", action="store_true", help="store nothing, report all")
        parser.add_argument("--report", type=Path, metavar="FILE", help="the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        origin = options["origin"]
        if origin == OURS and (options["user_id"] or options["no_extract"]):
            raise CommandError("--user-id and --no-extract are for exports of other services")
        try:
            caller = operator_of(options["project"])
            report = Report(options["project"], origin, options["dry_run"])
            with _opened(options["file"], seekable=origin != OURS) as file:
                if origin == OURS:
                    self._import_ours(caller, file, report)
                else:
                    self._import_foreign(caller, file, report, options)
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        except Unreadable as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"cannot read {options['file']}: {error.strerror}") from None
        except KeyboardInterrupt:
            told = "stopped; what was stored stays, and importing again goes on from there"
            raise CommandError(told, returncode=130) from None
        self._tell(report, options["report"])
        if not report.clean:
            raise CommandError("not everything was stored", returncode=2)

    def _import_ours(self, caller: Caller, file: IO[bytes], report: Report) -> None:
        size = os.fstat(file.fileno()).st_size  # of a pipe, zero
        with Progress("import", total=size or None, unit="B") as progress:

            def read_line(most: int) -> bytes:
                part = file.readline(most)
                progress.add(len(part))
                return part

            lines = Lines(read_line)
            report.finish(_stored(caller, lines, report.dry_run))
            report.complete = lines.complete

    def _import_foreign(
        self, caller: Caller, file: IO[bytes], report: Report, options: dict[str, Any]
    ) -> None:
        origin = make_origin(
            report.origin, project_id=caller.project_id, user_id=options["user_id"]
        )
        with Progress("import", total=None, unit="records") as progress:
            lines = ForeignLines(
                Records(file, keys=origin.keys, wrappers=origin.wrappers),
                origin,
                mining=not options["no_extract"],
                skipped=report.skip,
                read=progress.add,
            )
            lines.survey()
            progress.aim(lines.steps)
            report.records, report.nodes = lines.count, origin.nodes
            report.finish(_stored(caller, lines, report.dry_run))

    def _tell(self, report: Report, file: Path | None) -> None:
        for number, _, message in report.details[:_SHOWN]:
            self.stderr.write(f"{_place(report)} {number}: {message}", style_func=str)
        if len(report.details) > _SHOWN:
            self.stderr.write("… --report FILE has more", style_func=str)
        for line in report.in_words():
            self.stdout.write(line)
        if file is not None:
            try:
                file.write_text(json.dumps(report.as_json(), indent=2) + "\n")
            except OSError as error:
                raise CommandError(f"cannot write the report: {error.strerror}") from None


def _place(report: Report) -> str:
    return "line" if report.origin == OURS else "record"


def _stored(caller: Caller, lines: Iterable[Line], dry_run: bool) -> Imported:
    if dry_run:
        return services.check_lines(caller=caller, lines=lines)
    return services.import_lines(caller=caller, lines=lines, counted=False)


@contextmanager
def _opened(name: str, *, seekable: bool) -> Iterator[IO[bytes]]:
    """The file, or standard input; `seekable`: through a temporary file, to be read repeatedly."""
    if name != "-":
        with Path(name).open("rb") as file:
            yield file
    elif seekable:
        with tempfile.TemporaryFile() as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
            yield file
    else:
        yield sys.stdin.buffer
