"""Run the measurements and print a line for each."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import calls
from benchmarks.calls import Effort
from benchmarks.installation import Installation
from benchmarks.result import Result
from korely.embedded.stack import Stack

FULL = Effort(rounds=5, requests=200, sizes=(1_000, 10_000, 50_000))
QUICK = Effort(rounds=3, requests=60, sizes=(1_000, 10_000))

Measurement = Callable[[Installation, Effort], Iterator[Result]]
MEASUREMENTS: dict[str, Measurement] = {
    "search": calls.search,
    "context": calls.context,
    "add": calls.add,
    "reads": calls.reads,
}


def main() -> int:
    options = _options()
    effort = QUICK if options.quick else FULL
    wanted = options.only or list(MEASUREMENTS)
    met = True
    with Stack.temporary(env={"RATE_LIMIT_PER_MINUTE": "0"}) as stack:
        os.environ.update(stack.env)
        os.environ["DJANGO_SETTINGS_MODULE"] = "korely.settings"
        installation = Installation(stack)
        try:
            if {"search", "context", "add", "reads"} & set(wanted):
                began = time.perf_counter()
                installation.surround()
                print(f"surround {time.perf_counter() - began}", file=sys.stderr)
            for name in wanted:
                for result in MEASUREMENTS[name](installation, effort):
                    print(result.line(), flush=True)
                    met = met and result.ok
        finally:
            installation.close()
    return 0 if met else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="1,000 and 10,000 memories, fewer calls")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, metavar="NAME")
    parser.add_argument("--locomo", type=Path, metavar="PATH", help="locomo10.json")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
