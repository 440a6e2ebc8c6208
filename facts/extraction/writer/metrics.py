"""What is counted of language models. Labels name endpoints and fixed words, never a text."""

from prometheus_client import Counter

TRIES = Counter(
    "korely_writer_tries_total",
    "Requests to a language model, by status class or failure",
    ["writer", "result"],
)
TOKENS = Counter(
    "korely_writer_tokens_total", "Tokens that a language model says it used", ["writer"]
)
KEPT = Counter("korely_writer_facts_total", "A language model's facts that were kept", ["writer"])
DROPPED = Counter(
    "korely_writer_dropped_total",
    "Facts of a language model that its text does not bear out, by what is wrong",
    ["writer", "reason"],
)
