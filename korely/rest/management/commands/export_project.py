"""A project as lines of JSON, into a file or standard output."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import project_scope
from korely.rest.transfer.operating import Progress, operator_of
from korely.rest.transfer.writing import written
from memories import selectors


class Command(BaseCommand):
    help = (
        "Write everything of a project, or of one end user, as GET /v1/export does: lines of JSON,"
        " page by page. No query is counted. A file appears under its name when it is whole."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="prj_…")
        parser.add_argument(
            "--output", default="-", metavar="FILE", help="default: -, which is standard output"
        )
        parser.add_argument("--user-id", help="this end user alone")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            caller = operator_of(options["project"])
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        try:
            if options["output"] == "-":
                self._reconfigure()
                self._export(caller, options["user_id"], self.stdout)
            else:
                with _appearing(Path(options["output"])) as file:
                    self._export(caller, options["user_id"], file)
        except BrokenPipeError:
            raise CommandError("the reader went away: the export is cut short") from None
        except OSError as error:
            raise CommandError(f"cannot write: {error.strerror}") from None
        except KeyboardInterrupt:
            raise CommandError("stopped: the export is cut short", returncode=130) from None

    def _reconfigure(self) -> None:
        """An export is UTF-8 with bare line feeds, whatever the terminal speaks."""
        reconfigure = getattr(self.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", newline="\n")

    def _export(self, caller: Caller, user_id: str | None, file: Any) -> None:
        until = now()
        with project_scope(caller.project_id):
            found = selectors.count_export(caller=caller, user_id=user_id, until=until)
            meta = {"memories": found.memories, "facts": found.facts, "names": found.names}
            billing.record(caller, "export", user_id=user_id, meta=meta)
        pages = selectors.export_rows(caller=caller, user_id=user_id, until=until)
        rows = sum(meta.values())
        with Progress("export", total=rows + 2, unit="lines") as progress:
            for piece in written(pages, exported_at=until):
                text = piece.decode()
                file.write(text)
                progress.add(text.count("\n"))
        file.flush()
        told = ", ".join(f"{count:,} {kind}" for kind, count in meta.items())
        self.stderr.write(told, style_func=str)


@contextmanager
def _appearing(target: Path) -> Iterator[IO[str]]:
    """A file that has its name once it is whole, readable by its owner alone."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
