"""A sample conversation through the API: what three people say, and what is remembered of it.

``python -m korely.embedded.demo`` talks to the server of KORELY_BASE_URL with KORELY_API_KEY;
without them it starts a temporary one of its own and removes it afterwards.
"""

import http.client
import json
import os
import secrets
import sys
import time
from typing import Any
from urllib.parse import urlencode, urlsplit

from korely.embedded.console import complain, say
from korely.embedded.stack import Stack, StackError

# Per person: what was said and on which day, then a question an agent would ask before answering.
CONVERSATIONS: dict[str, tuple[list[tuple[str, str]], str]] = {
    "nadia": (
        [
            ("2025-11-03T09:12:00Z", "I live in Porto and I work at Brightwater Studio."),
            ("2025-11-03T09:15:00Z", "I'm allergic to shellfish, and I love jazz."),
            ("2026-02-14T18:40:00Z", "My sister Leonor lives in Geneva."),
            ("2026-05-20T08:05:00Z", "I moved to Utrecht last week. I still work remotely."),
        ],
        "Where should we book dinner for Nadia?",
    ),
    "kofi": (
        [
            ("2025-09-01T14:00:00Z", "I'm a nurse at Ridge Hospital in Accra."),
            ("2025-12-24T10:30:00Z", "I have a dog called Pepper. I drink tea, never coffee."),
            ("2026-03-09T07:20:00Z", "I started working at Lakeside Clinic on 2 March 2026."),
        ],
        "What is Kofi's job?",
    ),
    "mei": (
        [
            ("2026-01-10T11:00:00Z", "My name is Mei Tanaka and I speak Japanese and Dutch."),
            ("2026-01-10T11:02:00Z", "I study chemistry at Hillgate College."),
            ("2026-04-02T16:45:00Z", "I prefer to be written to by e-mail, not by phone."),
        ],
        "How do I reach Mei, and in which language?",
    ),
}
SETTLE_SECONDS = 60.0


class Client:
    """The few calls the demonstration makes."""

    def __init__(self, base_url: str, key: str) -> None:
        address = urlsplit(base_url)
        kind = (
            http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        )
        self._connection = kind(address.hostname or "127.0.0.1", address.port, timeout=60)
        self._prefix = address.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call(self, method: str, path: str, body: dict[str, str] | None = None) -> dict[str, Any]:
        """The answer's object; SystemExit with the server's message when it refuses."""
        content = None if body is None else json.dumps(body)
        self._connection.request(method, self._prefix + path, content, self._headers)
        response = self._connection.getresponse()
        raw = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {path}: {response.status} {raw.decode('utf-8', 'replace')}")
        answer: dict[str, Any] = json.loads(raw)
        return answer


def main() -> int:
    """Run the demonstration and return the exit code."""
    base_url, key = os.environ.get("KORELY_BASE_URL"), os.environ.get("KORELY_API_KEY")
    try:
        if base_url and key:
            demonstrate(Client(base_url, key))
        elif base_url or key:
            complain("set both KORELY_BASE_URL and KORELY_API_KEY, or neither")
            return 1
        else:
            say("starting a temporary server (KORELY_BASE_URL and KORELY_API_KEY name your own)")
            with Stack.temporary() as stack:
                demonstrate(Client(stack.base_url, stack.key))
    except (OSError, http.client.HTTPException, StackError) as error:
        complain(f"demo: {error}")
        return 1
    return 0


def demonstrate(client: Client) -> None:
    """Store the conversations under fresh names, wait for their facts, print what is recalled."""
    run = secrets.token_hex(3)  # a second demonstration on one server begins with nobody known
    stored = {name: _store(client, f"{name}-{run}", lines[0]) for name, lines in _people()}
    for ids in stored.values():
        _wait_until_extracted(client, ids)
    for name, (_, question) in _people():
        _show(client, f"{name}-{run}", question)


def _people() -> list[tuple[str, tuple[list[tuple[str, str]], str]]]:
    return list(CONVERSATIONS.items())


def _store(client: Client, user_id: str, lines: list[tuple[str, str]]) -> list[str]:
    say(f"\n{user_id} says")
    ids = []
    for day, text in lines:
        say(f"  {day[:10]}  {text}")
        memory = client.call(
            "POST", "/v1/memories", {"content": text, "user_id": user_id, "timestamp": day}
        )
        ids.append(str(memory["id"]))
    return ids


def _wait_until_extracted(client: Client, ids: list[str]) -> None:
    deadline = time.monotonic() + SETTLE_SECONDS
    for memory_id in ids:
        while client.call("GET", f"/v1/memories/{memory_id}")["status"] == "processing":
            if time.monotonic() > deadline:
                raise SystemExit("facts are not extracted yet; does a worker run?")
            time.sleep(0.2)


def _show(client: Client, user_id: str, question: str) -> None:
    facts = client.call("GET", "/v1/facts?" + urlencode({"user_id": user_id}))["facts"]
    say(f"\nwhat is true of {user_id} now")
    for fact in facts:
        since = fact["valid_from"][:10]
        say(f"  {fact['subject']} · {fact['predicate']} · {fact['object']}  (since {since})")
    query = urlencode({"user_id": user_id, "query": question, "token_budget": 300})
    context = client.call("GET", f"/v1/context?{query}")
    say(f"\ncontext for the question “{question}” ({context['tokens']} tokens)")
    for line in context["context"].splitlines():
        say(f"  | {line}")


if __name__ == "__main__":
    sys.exit(main())
