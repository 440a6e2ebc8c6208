"""Word lists written as text."""


def words(text: str) -> frozenset[str]:
    """The white-space separated words of `text` as a set."""
    return frozenset(text.split())
