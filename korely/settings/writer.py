"""An optional language model that reads memories: where, how long, for how many tokens a day.

Without a URL no text leaves the server.
"""

from django.core.exceptions import ImproperlyConfigured

from korely.kernel.outbound import Refused, read
from korely.settings.environment import env


def _endpoint(prefix: str) -> dict[str, str] | None:
    """The endpoint of `<prefix>_URL`, `_MODEL`, `_KEY`; None when it has no URL."""
    url = env.str(f"{prefix}_URL", default="").strip().rstrip("/")
    model = env.str(f"{prefix}_MODEL", default="").strip()
    key = env.str(f"{prefix}_KEY", default="").strip()
    if not url:
        return None
    try:
        target = read(url, allow_private=True)
    except Refused as refused:
        raise ImproperlyConfigured(f"{prefix}_URL {refused}") from None
    if "?" in target.path or "#" in url:
        raise ImproperlyConfigured(f"{prefix}_URL is an address without query and fragment")
    if not model:
        raise ImproperlyConfigured(f"{prefix}_URL needs {prefix}_MODEL")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ImproperlyConfigured(f"{prefix}_KEY is printable ASCII without spaces")
    return {"url": url, "model": model, "key": key}


# By region: "" serves projects that chose none, and those that chose `global` where that has no
# endpoint of its own. A project that chose `eu` is served by that region's endpoint alone.
KORELY_WRITERS = {
    region: found
    for region, prefix in {
        "": "KORELY_WRITER",
        "eu": "KORELY_WRITER_EU",
        "global": "KORELY_WRITER_GLOBAL",
    }.items()
    if (found := _endpoint(prefix)) is not None
}
# 1: a text waits for the language model; the local engine never stands in.
KORELY_WRITER_REQUIRED = env.bool("KORELY_WRITER_REQUIRED", default=False)
# Tokens of all language models together in a UTC day; None: as many as it takes.
KORELY_WRITER_DAILY_BUDGET = int(env.str("KORELY_WRITER_DAILY_BUDGET", default="") or 0) or None
# Seconds for one text with all its tries, for a connection, and for each wait for a byte.
KORELY_WRITER_TIMEOUT_SECONDS = env.float("KORELY_WRITER_TIMEOUT_SECONDS", default=60.0)
KORELY_WRITER_CONNECT_SECONDS = env.float("KORELY_WRITER_CONNECT_SECONDS", default=5.0)
KORELY_WRITER_READ_SECONDS = env.float("KORELY_WRITER_READ_SECONDS", default=30.0)
# Tries for one text, the first included.
KORELY_WRITER_TRIES = env.int("KORELY_WRITER_TRIES", default=3)
# Texts in a row that an endpoint fails before it is left alone for a while, and for how long.
KORELY_WRITER_BREAKER_FAILURES = env.int("KORELY_WRITER_BREAKER_FAILURES", default=5)
KORELY_WRITER_BREAKER_SECONDS = env.float("KORELY_WRITER_BREAKER_SECONDS", default=60.0)
# Texts that a worker process has read at the same time, of different end users; each holds a
# connection to the database, idle, which is its end user's lane.
KORELY_WRITER_AT_ONCE = env.int("KORELY_WRITER_AT_ONCE", default=4)

if (
    min(
        KORELY_WRITER_TIMEOUT_SECONDS,
        KORELY_WRITER_CONNECT_SECONDS,
        KORELY_WRITER_READ_SECONDS,
        KORELY_WRITER_BREAKER_SECONDS,
    )
    <= 0
    or min(KORELY_WRITER_TRIES, KORELY_WRITER_BREAKER_FAILURES, KORELY_WRITER_AT_ONCE) < 1
    or (KORELY_WRITER_DAILY_BUDGET or 0) < 0
):
    raise ImproperlyConfigured("KORELY_WRITER_* are positive numbers")
if KORELY_WRITER_REQUIRED and not KORELY_WRITERS:
    raise ImproperlyConfigured("KORELY_WRITER_REQUIRED needs KORELY_WRITER_URL")
