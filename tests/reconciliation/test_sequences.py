"""Sequences of statements and the rows they leave, one block each in `sequences/`.

A block is a sentence, the statements in the order in which they are stored, the letters of the
rules that decided them, and all rows at the end (both in the notation of `ledger`).
"""

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from facts.reconciliation import Reason
from facts.vocabulary import MANY, SINGLE, opposites
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


def test_every_rule_reason_and_kind_of_predicate_has_its_sequences() -> None:
    cases = [case.values for case in blocks()]  # type: ignore[attr-defined]
    assert len(cases) >= 120
    rules = Counter(rule for _, told, _ in cases for rule in told)
    assert set(rules) == set("abcdefg")
    assert min(rules.values()) >= 5, rules
    ends = [line.partition(" ..")[2].split() for _, _, rows in cases for line in rows]
    reasons = Counter(end[1] for end in ends if len(end) > 1)
    assert set(reasons) == set(get_args(Reason))
    assert min(reasons.values()) >= 3, reasons
    predicates = {line.split()[2] for told, _, _ in cases for line in told.splitlines()}
    assert len(predicates & SINGLE) >= 10
    assert len(predicates & MANY) >= 10
    assert any(opposites(one) for one in predicates)
    assert predicates - SINGLE - MANY  # a verb of its own
