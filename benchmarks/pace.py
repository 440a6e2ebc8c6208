"""The product and its floor, measured in turns so that both meet the same machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from benchmarks.processes import Meter

Case = TypeVar("Case")


@dataclass(slots=True)
class Tally:
    """Seconds of each call, and CPU seconds of all of them by who used them."""

    seconds: list[float] = field(default_factory=list)
    cpu: dict[str, float] = field(default_factory=dict)

    def figures(self) -> dict[str, float]:
        """Milliseconds: median, 95th percentile, and CPU a call, whole and by part."""
        calls = len(self.seconds)
        parts = {f"cpu_{who}_ms": 1000 * used / calls for who, used in self.cpu.items()}
        figures = {
            "p50_ms": 1000 * float(np.percentile(self.seconds, 50)),
            "p95_ms": 1000 * float(np.percentile(self.seconds, 95)),
            "cpu_ms": sum(parts.values()),
            **parts,
        }
        return {name: round(value, 2) for name, value in figures.items()}


def run(
    tally: Tally, cases: Sequence[Case], call: Callable[[Case], object], meters: Mapping[str, Meter]
) -> None:
    """Call once for each case; `meters` read the CPU that counts."""
    before = {who: read() for who, read in meters.items()}
    for case in cases:
        began = time.perf_counter()
        call(case)
        tally.seconds.append(time.perf_counter() - began)
    for who, read in meters.items():
        tally.cpu[who] = tally.cpu.get(who, 0.0) + read() - before[who]


@dataclass(frozen=True, slots=True)
class Side(Generic[Case]):
    """One of the two that are compared: what a call is, and whose CPU it costs."""

    call: Callable[[Case], object]
    meters: Mapping[str, Meter]


def compare(
    product: Side[Case], floor: Side[Case], cases: Sequence[Case], *, rounds: int
) -> tuple[Tally, Tally]:
    """Both over the same cases, in `rounds` turns, after a warm-up that is not counted."""
    warm = cases[:8]
    for side in (floor, product):
        run(Tally(), warm, side.call, side.meters)
    made, least = Tally(), Tally()
    size = -(-len(cases) // rounds)
    for start in range(0, len(cases), size):
        part = cases[start : start + size]
        run(least, part, floor.call, floor.meters)
        run(made, part, product.call, product.meters)
    return made, least
