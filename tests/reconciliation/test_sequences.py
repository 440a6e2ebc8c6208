"""Sequences of statements and the rows they leave, one block each in `sequences/`.

A block is a sentence, the statements in the order in which they are stored, the letters of the
rules that decided them, and all rows at the end (both in the notation of `ledger`).
"""

from pathlib import Path

import pytest

from tests.reconciliation.ledger import tell_all

FOLDER = Path(__file__).parent / "sequences"


def blocks() -> list[object]:
    found: list[object] = []
    for file in sorted(FOLDER.glob("*.txt")):
        for block in file.read_text(encoding="utf-8").strip().split("\n\n"):
            title, *lines = block.splitlines()
            cut = next(i for i, line in enumerate(lines) if line.startswith("=>"))
            case = "\n".join(lines[:cut]), lines[cut].split()[1:], lines[cut + 1 :]
            found.append(pytest.param(*case, id=f"{file.stem}: {title.removeprefix('# ')}"))
    return found


@pytest.mark.parametrize(("statements", "rules", "rows"), blocks())
def test_a_sequence_of_statements_leaves_these_rows(
    statements: str, rules: list[str], rows: list[str]
) -> None:
    ledger = tell_all(statements)
    assert ledger.lines() == rows
    assert ledger.rules == rules


def test_every_kind_of_rule_has_its_sequences() -> None:
    assert {rule for case in blocks() for rule in case.values[1]} == set("abcdefg")  # type: ignore[attr-defined]
