"""From the notation to rows.

    python -m facts.extraction.training.convert notes.txt data/notes.jsonl

Lines that are malformed are named and nothing is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

from facts.extraction.training.marked import Malformed, read_marked


def main(source: Path, target: Path) -> int:
    rows, faults, seen = [], [], set()
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = read_marked(line, name=f"{target.stem}-{number:04d}")
        except Malformed as fault:
            faults.append(f"{source.name}:{number}: {fault}")
            continue
        if row.text in seen:
            faults.append(f"{source.name}:{number}: this text stood before")
        seen.add(row.text)
        rows.append(row.line())
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    target.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows)} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
