"""What the person who starts the group can choose, read from the environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from korely.embedded.errors import StartError

CHECKOUT = Path(__file__).absolute().parents[2]
# What `<data>/env` holds: addresses the group makes itself, and secrets that go with its database.
ADDRESSES = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "DATABASE_OPS_URL",
    "DATABASE_BACKUP_URL",
    "BROKER_URL",
    "CACHE_URL",
)
SECRETS = ("SECRET_KEY", "KORELY_PEPPERS")


@dataclass(frozen=True)
class Options:
    """PORT, KORELY_HOST, KORELY_DATA_DIR, KORELY_PUBLIC_URL and KORELY_WORKER_CONCURRENCY."""

    host: str
    port: int
    data_directory: Path
    public_url: str
    worker_processes: int

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Options":
        """Read and check them; StartError names the variable that is wrong."""
        port = _whole_number(environment, "PORT", 8000, 1, 65_535)
        given = environment.get("KORELY_DATA_DIR") or str(CHECKOUT / ".korely")
        public_url = environment.get("KORELY_PUBLIC_URL") or f"http://localhost:{port}"
        if not re.fullmatch(r"https?://[A-Za-z0-9.:/_~%\[\]-]+", public_url):
            raise StartError(f"KORELY_PUBLIC_URL is no http or https address: {public_url!r}")
        return cls(
            host=environment.get("KORELY_HOST") or "127.0.0.1",
            port=port,
            data_directory=Path(os.path.abspath(Path(given).expanduser())),  # noqa: PTH100
            public_url=public_url.rstrip("/"),
            worker_processes=_whole_number(environment, "KORELY_WORKER_CONCURRENCY", 1, 1, 64),
        )


def _whole_number(
    environment: Mapping[str, str], name: str, default: int, low: int, high: int
) -> int:
    text = environment.get(name) or str(default)
    if not re.fullmatch(r"[0-9]{1,6}", text) or not low <= int(text) <= high:
        raise StartError(f"{name} must be a whole number from {low} to {high}, not {text!r}")
    return int(text)
