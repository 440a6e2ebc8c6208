"""Measurements of a whole embedded installation, each beside its own floor.

`python -m benchmarks [--quick] [--only NAME …] [--locomo PATH]` starts an installation in a
temporary directory, fills it with made-up memories, and prints one JSON object a line:

    name, parameters   what was measured, on what
    figures            what it took; the unit ends each key (`_ms`, `_s`, `_mb`, `_per_s`)
    floor              the least that could do the same work, measured in the same run
    ratio              figures against floor, by server CPU unless the line says otherwise
    bar, ok            what must not be exceeded (null: nothing), and whether it holds

The exit code is 1 when a bar is missed. docs/performance.md keeps figures and how to read them.
"""
