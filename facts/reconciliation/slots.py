"""Slots: inside which statements compete, and for what."""

from facts.vocabulary import BUILT_IN, Vocabulary


def slot(
    subject_key: str,
    predicate: str,
    object_key: str,
    tense: str,
    vocabulary: Vocabulary = BUILT_IN,
) -> str | None:
    """The slot of a fact inside its (end user, agent), or None where values add up.

    A single predicate has one slot per subject; an opposite pair (`likes`, `dislikes`) one per
    subject and object. Plans have slots of their own. Parts are joined by U+001F.
    """
    kind = "plan" if tense == "planned" else "state"
    if vocabulary.is_single(predicate):
        return "\x1f".join((kind, subject_key, predicate))
    pair = vocabulary.opposites(predicate)
    if pair:
        names = "/".join(sorted({predicate, *pair}))
        return "\x1f".join((kind, subject_key, names, object_key))
    return None
