"""How PostgreSQL reads a vector."""

from collections.abc import Sequence


def as_halfvec(values: Sequence[float]) -> str:
    """The text of a `halfvec`; seven decimals are as much as half precision keeps."""
    return "[" + ",".join(["%.7f"] * len(values)) % tuple(values) + "]"
