from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from korely.embedded.stack import Stack
from korely.embedding.model_directory import BUNDLED
from tests.faults.rig import Rig

# Waits that an operator would leave longer, so that healing is seen soon.
QUICK = {
    "RATE_LIMIT_PER_MINUTE": "100000",
    "EXTRACTION_MAX_ATTEMPTS": "3",
    "WORK_SWEEP_SECONDS": "1",
    "WORK_GRACE_SECONDS": "2",
    "WORK_BACKOFF_SECONDS": "0.5",
}


@pytest.fixture(scope="session")
def roomy() -> Iterator[Path]:
    """A directory the database's user can pass through; in memory where there is room."""
    memory = Path("/dev/shm")
    ample = memory.is_dir() and shutil.disk_usage(memory).free > 1_500_000_000
    directory = Path(tempfile.mkdtemp(prefix="korely-faults-", dir=memory if ample else None))
    directory.chmod(0o711)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def group(roomy: Path) -> Iterator[Rig]:
    """One group for all tests that leave it whole.

    Its clock is set to Tokyo's, and its embedding model is a copy that tests may damage.
    """
    model = roomy / "model"
    shutil.copytree(BUNDLED, model)
    env = {**QUICK, "TZ": "Asia/Tokyo", "KORELY_MODEL_DIR": str(model)}
    with Stack(roomy / "group", env=env) as stack:
        yield Rig(stack, model)


@pytest.fixture
def rig(group: Rig) -> Iterator[Rig]:
    """That group, ready before each test whatever the one before did to it."""
    group.restore()
    yield group
