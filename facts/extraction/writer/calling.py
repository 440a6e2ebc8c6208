"""A text's call: tried again while that can help, within one deadline and a budget."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from facts.extraction.writer.answer import read_tokens
from facts.extraction.writer.asking import most_tokens
from facts.extraction.writer.breaker import Breaker
from facts.extraction.writer.endpoint import Budget, Endpoint, Patience
from facts.extraction.writer.failures import WriterUnavailable
from facts.extraction.writer.metrics import TOKENS, TRIES
from korely.kernel.outbound import Answer, Bounds, NoAnswer, exchange

_MOST_BODY = 1_048_576  # bytes of an answer
_FIRST_WAIT = 0.5  # seconds after the first failed try; doubled after each
_AGAIN = frozenset({408, 429})  # and every 5xx
_ABOUT_THE_TEXT = frozenset({400, 413, 422})  # the service works, for other texts at least


def call(
    endpoint: Endpoint, body: bytes, *, patience: Patience, breaker: Breaker, budget: Budget
) -> bytes:
    """The body of a 200 answer.

    Raises:
        WriterUnavailable: no such answer within the tries and the time, or the budget.
    """
    resting = breaker.wait()
    if resting:
        raise WriterUnavailable("resting", seconds=resting)
    ends = time.monotonic() + patience.total
    for number in range(patience.tries):
        try:
            answer = _try(endpoint, body, patience, budget, ends)
        except NoAnswer as error:
            failure = WriterUnavailable("no_answer", str(error))
            wait = _pause(number)
        else:
            if answer.status == 200:
                breaker.tell(good=True)
                return answer.body
            if answer.status not in _AGAIN and answer.status < 500:
                breaker.tell(good=answer.status in _ABOUT_THE_TEXT)
                raise WriterUnavailable("refused", f"status {answer.status}", seconds=breaker.rest)
            failure = WriterUnavailable("overloaded", f"status {answer.status}")
            wait = max(_pause(number), _asked_wait(answer.headers))
        if number + 1 == patience.tries or time.monotonic() + wait >= ends:
            break
        time.sleep(wait)
    breaker.tell(good=False)
    failure.seconds = breaker.rest
    raise failure


def _try(
    endpoint: Endpoint, body: bytes, patience: Patience, budget: Budget, ends: float
) -> Answer:
    most = most_tokens(body)
    grant = budget.take(most)
    if grant is None:
        raise WriterUnavailable("budget")
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    bounds = Bounds(ends - time.monotonic(), patience.connect, patience.silence, _MOST_BODY)
    try:
        answer = exchange(
            f"{endpoint.url}/chat/completions", body=body, headers=headers, bounds=bounds
        )
    except NoAnswer as error:
        TRIES.labels(endpoint.name, "no_answer").inc()
        if not error.taken:
            grant.settle(0)  # else it may have been worked on, and is counted as that
        raise
    TRIES.labels(endpoint.name, f"{answer.status // 100}xx").inc()
    if answer.status != 200:
        grant.settle(0)
        return answer
    used = read_tokens(answer.body)
    if used is not None:
        grant.settle(min(used, most))
        TOKENS.labels(endpoint.name).inc(min(used, most))
    return answer


def _pause(number: int) -> float:
    """Twice as long after each failed try, less up to half by chance."""
    return float(_FIRST_WAIT * 2**number * random.uniform(0.5, 1.0))  # noqa: S311 - no secret


def _asked_wait(headers: Mapping[str, str]) -> float:
    """The seconds that `Retry-After` asks for, in either of its forms; 0.0 without one."""
    given = headers.get("retry-after", "").strip()
    if given.isascii() and given.isdigit():
        return float(given[:9])
    try:
        when = email.utils.parsedate_to_datetime(given)
    except ValueError:
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
