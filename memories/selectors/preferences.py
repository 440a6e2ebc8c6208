"""Which facts are preferences, and how they are said."""

from __future__ import annotations

from memories.selectors.items import Held

FAMILY = "preferences"
ASIDE = ("wants", "has_goal")  # of the family, but no preferences

_ASIDE_SQL = ", ".join(f"'{one}'" for one in ASIDE)
# Conditions on a fact aliased `f`: that it is a preference; that it is a fact of another family.
PREFERENCE_SQL = {
    True: f"f.predicate_family = '{FAMILY}' AND f.predicate NOT IN ({_ASIDE_SQL})",
    False: f"f.predicate_family <> '{FAMILY}'",
}

_SAID = {
    "likes": "{subject} likes {object}.",
    "dislikes": "{subject} dislikes {object}.",
    "prefers": "{subject} prefers {object}.",
    "interested_in": "{subject} is interested in {object}.",
    "avoids": "{subject} avoids {object}.",
    "prefers_contact": "{subject} prefers to be contacted by {object}.",
}


def is_preference(family: str, predicate: str) -> bool:
    """Whether a fact is a preference: what somebody likes or avoids, not what they want."""
    return family == FAMILY and predicate not in ASIDE


def sentence(held: Held) -> str:
    """A preference in the third person."""
    fact = held.fact
    subject = "The user" if fact.subject_type == "self" else fact.subject_canonical
    words = {"subject": subject, "object": fact.object_canonical}
    known = _SAID.get(fact.predicate)
    if known is not None:
        return known.format(**words)
    head, _, topic = fact.predicate.partition("_")
    topic = topic.replace("_", " ")
    if head == "favorite" and topic:
        return "{subject}'s favorite {topic} is {object}.".format(topic=topic, **words)
    if head == "prefers" and topic:
        return "{subject} prefers {object} for {topic}.".format(topic=topic, **words)
    return "{subject} {verb} {object}.".format(verb=fact.predicate.replace("_", " "), **words)


def reasoning(held: Held) -> str:
    """What an explicit preference rests on, quoted."""
    if held.said is None:
        return f"It was recorded as a fact: “{held.text}”."
    return f"It was said in so many words: “{held.said}”."
