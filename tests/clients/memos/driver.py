"""Run by the interpreter of a MemoryOS environment: calls its client as told, line by line.

A line in is `{"new": [keywords of the client]}` or `{"call": method, "args", "kwargs"}`; a line
out is `{"type", "answer"}`, or `{"error", "status", "body"}` for what the client raised. The client
writes to the standard output, so answers go to a copy of it and the rest to the errors.
"""

import json
import os
import pathlib
import sys
import sysconfig
import types
from typing import Any

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

# The packages' own `__init__` modules import the whole of MemoryOS, and one module a class of
# `transformers` for an annotation.
root = pathlib.Path(sysconfig.get_paths()["purelib"]) / "memos"
for name, path in (("memos", root), ("memos.api", root / "api")):
    package = types.ModuleType(name)
    package.__path__ = [str(path)]
    sys.modules[name] = package
transformers = types.ModuleType("transformers")
transformers.DynamicCache = object
sys.modules["transformers"] = transformers

from memos.api.client import MemOSClient  # noqa: E402


def plain(value: Any) -> dict[str, Any]:
    if hasattr(value, "model_dump"):
        return {"type": type(value).__name__, "answer": value.model_dump()}
    if isinstance(value, dict):
        return {"type": "dict", "answer": value}
    return {"type": "stream", "answer": list(value)}


client = None
for line in sys.stdin:
    told = json.loads(line)
    if "new" in told:
        client = MemOSClient(**told["new"])
        out: dict[str, Any] = {}
    else:
        try:
            out = plain(getattr(client, told["call"])(*told["args"], **told["kwargs"]))
        except Exception as error:
            answer = getattr(error, "response", None)
            out = {"error": type(error).__name__}
            out |= {"status": getattr(answer, "status_code", None)}
            out |= {"body": getattr(answer, "text", str(error))}
    answers.write(json.dumps(out) + "\n")
    answers.flush()
