"""Settings of language models: what stops a start, and which endpoint serves which region."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from korely.embedded.options import CHECKOUT

_SHOW = (
    "import json\nfrom django.core.exceptions import ImproperlyConfigured\ntry:\n"
    "    from korely.settings import writer\n    print(json.dumps(writer.KORELY_WRITERS))\n"
    "except ImproperlyConfigured as error:\n    print(json.dumps(str(error)))"
)
GOOD = {"URL": "http://127.0.0.1:11434/v1", "MODEL": "small", "KEY": "sk-secret"}


def read(**given: str) -> object:
    """What the settings come to, or the words that stop the start."""
    own = {name: text for name, text in os.environ.items() if "KORELY_WRITER" not in name}
    env = own | {f"KORELY_WRITER_{name}": text for name, text in given.items()}
    env |= {
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "SECRET_KEY": "x" * 50,
        "KORELY_PEPPERS": f"1:{'0' * 64}",
    }
    done = subprocess.run(
        [sys.executable, "-c", _SHOW], env=env, cwd=CHECKOUT, capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_each_endpoint_has_its_own_address_model_and_key() -> None:
    assert read() == {}
    assert read(MODEL="small", KEY="sk-secret") == {}  # without an address there is none
    european = {"EU_URL": "https://eu.example/v1/", "EU_MODEL": "petit"}
    assert read(**GOOD, **european) == {
        "": {"url": GOOD["URL"], "model": "small", "key": "sk-secret"},
        "eu": {"url": "https://eu.example/v1", "model": "petit", "key": ""},
    }


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"URL": "ftp://llm.example/v1"}, "KORELY_WRITER_URL"),
        ({"URL": "https://user:secret@llm.example/v1"}, "KORELY_WRITER_URL"),
        ({"URL": "https://llm.example/v1?version=1"}, "without query"),
        ({"URL": "llm.example"}, "KORELY_WRITER_URL"),
        ({"MODEL": ""}, "needs KORELY_WRITER_MODEL"),
        ({"EU_URL": "https://eu.example/v1"}, "needs KORELY_WRITER_EU_MODEL"),
        ({"KEY": "two words"}, "KORELY_WRITER_KEY"),
        ({"KEY": "line\nX-Other: 1"}, "KORELY_WRITER_KEY"),
        ({"TRIES": "0"}, "positive"),
        ({"DAILY_BUDGET": "-1"}, "positive"),
        ({"URL": "", "REQUIRED": "1"}, "needs KORELY_WRITER_URL"),
    ],
)
def test_a_setting_that_cannot_be_meant_stops_the_start(given: dict[str, str], words: str) -> None:
    told = read(**{**GOOD, **given})
    assert isinstance(told, str)
    assert words in told
    assert "secret" not in told
