"""The web process.

    uvicorn --http korely.front.connection:Connection korely.asgi:application

`KORELY_WEB_THREADS` (default 16) threads run Django; see `korely.front` for what happens before.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import partial
from urllib.parse import unquote, urlsplit

from django.core.wsgi import get_wsgi_application

from korely.embedding import embedder
from korely.front import BodyLimit, Front, Headers
from korely.http.marks import MAX_FILES, MAX_LINES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "korely.settings")


def _holds_key(headers: Headers, *, schemes: Collection[str]) -> bool:
    """Whether a large body comes with a key; one that comes without is refused unread."""
    from django.db import connection  # noqa: PLC0415 - Django is set up by now

    from accounts.authentication import is_live_key  # noqa: PLC0415 - likewise

    try:
        return is_live_key(headers.get(b"authorization", b"").decode("latin-1"), schemes=schemes)
    finally:
        connection.close()  # back to the pool


def _close() -> None:
    """The last seconds of the log of requests, which a thread stores."""
    from korely.http import request_log  # noqa: PLC0415 - Django is set up by now

    request_log.close()


application = Front(
    get_wsgi_application(),
    threads=int(os.environ.get("KORELY_WEB_THREADS") or 16),
    prefix=unquote(urlsplit(os.environ.get("KORELY_PUBLIC_URL", "")).path).rstrip("/"),
    limits={
        "/v1/import": BodyLimit(
            bytes=MAX_LINES, idle=True, admits=partial(_holds_key, schemes=("bearer",))
        ),
        "/api/openmem/v1/add/knowledgebase-file": BodyLimit(
            bytes=MAX_FILES, idle=True, admits=partial(_holds_key, schemes=("token", "bearer"))
        ),
    },
    warm=embedder,
    close=_close,
)
