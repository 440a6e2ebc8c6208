"""One more web process on the same database, as an installation of several has them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from korely.embedded.options import CHECKOUT
from korely.embedded.ports import pick_port
from tests.api_client import wait_for
from tests.faults.rig import answer_of


@contextmanager
def second_web_server(environment: Mapping[str, str], **variables: str) -> Iterator[str]:
    """Its address, once it answers."""
    port = pick_port()
    command = [sys.executable, "-m", "uvicorn", "korely.asgi:application", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--log-level", "warning", "--no-proxy-headers"],
        cwd=CHECKOUT,
        env={**environment, **variables},
        stderr=subprocess.DEVNULL,
    )
    try:
        base = f"http://127.0.0.1:{port}"
        wait_for("the second web server", lambda: answer_of(f"{base}/healthz"))
        yield base
    finally:
        process.terminate()
        process.wait(30)
