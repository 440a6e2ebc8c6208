"""Run the measurements and print a line for each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import calls
from benchmarks.calls import Effort
from benchmarks.dashboard import dashboard
from benchmarks.extraction import extraction
from benchmarks.facts import facts
from benchmarks.footprint import at_rest, footprint
from benchmarks.guards import guards
from benchmarks.installation import Installation
from benchmarks.locomo import locomo
from benchmarks.memos import memos
from benchmarks.result import Result
from benchmarks.transfer import transfer
from korely.embedded.stack import Stack

FULL = Effort(rounds=5, requests=200, sizes=(1_000, 10_000, 50_000))
QUICK = Effort(rounds=3, requests=60, sizes=(1_000, 10_000))

Measurement = Callable[[Installation, Effort], Iterator[Result]]
LOADED: dict[str, Measurement] = {
    "search": calls.search,
    "context": calls.context,
    "reads": calls.reads,
    "add": calls.add,
    "facts": facts,
    "extraction": extraction,
    "transfer": transfer,
    "guards": guards,
    "dashboard": dashboard,
    "memos": memos,
}
NAMES = ("footprint", *LOADED)


def main() -> int:
    options = _options()
    met = True
    for result in _results(options):
        print(result.line(), flush=True)
        met = met and result.ok
    return 0 if met else 1


def _results(options: argparse.Namespace) -> Iterator[Result]:
    names = options.only or ([] if options.locomo else NAMES)
    if "footprint" in names:
        yield from footprint()
    loaded = [name for name in names if name in LOADED]
    if loaded or options.locomo:
        with Stack.temporary(env={"RATE_LIMIT_PER_MINUTE": "0"}) as stack:
            # Whatever of the product runs in this process uses the same database and secrets.
            os.environ.update(stack.env)
            os.environ.update(DJANGO_SETTINGS_MODULE="korely.settings", LOG_LEVEL="WARNING")
            yield from _on(stack, loaded, options)


def _on(stack: Stack, names: list[str], options: argparse.Namespace) -> Iterator[Result]:
    import django

    django.setup()
    installation = Installation(stack)
    try:
        if names:
            installation.surround()
        if options.crowded:
            installation.crowd()
        for name in names:
            yield from LOADED[name](installation, QUICK if options.quick else FULL)
        if options.locomo:
            yield from locomo(installation, options.locomo)
    finally:
        installation.close()
    if names:
        yield at_rest("memory_after_load", stack)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="up to 10,000 memories, fewer calls")
    parser.add_argument(
        "--crowded", action="store_true", help="with 1,000 more accounts of 10 keys each"
    )
    parser.add_argument(
        "--only", action="append", choices=NAMES, metavar="NAME", help=f"one of {', '.join(NAMES)}"
    )
    parser.add_argument(
        "--locomo",
        type=Path,
        metavar="PATH",
        help="score retrieval on locomo10.json (alone, unless --only names more)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
