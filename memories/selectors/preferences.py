"""Which facts are preferences, and how they are said."""

from __future__ import annotations

from collections.abc import Iterable

from memories.selectors.items import Held

FAMILY = "preferences"
ASIDE = ("wants", "has_goal")  # of the family, but no preferences

# What people do because they like it: done more than once, it tells what they prefer.
BEHAVIOUR = {
    "attended": "{subject} likes to attend {object}.",
    "bought": "{subject} tends to buy {object}.",
    "does_exercise": "{subject} likes {object} for exercise.",
    "travels_to": "{subject} likes to travel to {object}.",
    "visited": "{subject} likes to visit {object}.",
}
TURNS = 2  # different ones that a behaviour has to be told in; contract, section 3


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"'{one}'" for one in words)


# Conditions on a fact aliased `f`. An implicit preference is a behaviour of the end user that
# different turns tell, whether one fact has them all or several say the same: each memory is one,
# or as many as messages of the user's in it use the verb and the object.
_EXPLICIT = f"f.predicate_family = '{FAMILY}' AND f.predicate NOT IN ({_listed(ASIDE)})"
_IMPLICIT = f"""f.predicate IN ({_listed(BEHAVIOUR)}) AND f.subject_type = 'self'
    AND (
        SELECT sum(turns) FROM (
            SELECT greatest(1, max((
                SELECT count(*) FROM memories_message t
                WHERE t.project_id = m.project_id AND t.task_id = m.task_id AND t.role = 'user'
                    AND m.id = ANY(t.memory_ids)
                    AND strpos(lower(t.said ->> 'content'), lower(o.object)) > 0
                    AND strpos(lower(t.said ->> 'content'), lower(o.predicate_raw)) > 0
            ))) AS turns
            FROM facts_fact o
            JOIN facts_factsource s ON s.project_id = o.project_id AND s.fact_id = o.id
            JOIN memories_memory m ON m.project_id = s.project_id AND m.id = s.memory_id
            WHERE o.project_id = f.project_id AND o.user_id = f.user_id
                AND o.agent_id IS NOT DISTINCT FROM f.agent_id AND o.subject_key = f.subject_key
                AND o.predicate = f.predicate AND o.object_key = f.object_key
                AND s.withdrawn_at IS NULL
            GROUP BY m.id
        ) told
    ) >= {TURNS}
    AND NOT EXISTS (
        SELECT 1 FROM facts_fact e
        WHERE e.project_id = f.project_id AND e.user_id = f.user_id
            AND e.subject_key = f.subject_key AND e.object_key = f.object_key
            AND e.predicate IN ('avoids', 'dislikes') AND e.invalid_at IS NULL
    )"""
# That it is a preference; that it is a fact beside preferences.
PREFERENCE_SQL = {
    True: f"(({_EXPLICIT}) OR ({_IMPLICIT}))",
    False: f"(f.predicate_family <> '{FAMILY}' AND NOT ({_IMPLICIT}))",
}
# Which of the two a fact is; null for a wish or a goal, which is neither.
IS_PREFERENCE_SQL = f"""CASE WHEN f.predicate_family = '{FAMILY}'
    THEN CASE WHEN {_EXPLICIT} THEN true END ELSE ({_IMPLICIT}) END"""

_SAID = {
    "likes": "{subject} likes {object}.",
    "dislikes": "{subject} dislikes {object}.",
    "prefers": "{subject} prefers {object}.",
    "interested_in": "{subject} is interested in {object}.",
    "avoids": "{subject} avoids {object}.",
    "prefers_contact": "{subject} prefers to be contacted by {object}.",
}


def is_implicit(held: Held) -> bool:
    """Whether a preference was inferred from what somebody did, not stated."""
    return held.fact.predicate_family != FAMILY


def sentence(held: Held) -> str:
    """A preference in the third person."""
    fact = held.fact
    subject = "The user" if fact.subject_type == "self" else fact.subject_canonical
    words = {"subject": subject, "object": fact.object_canonical}
    known = _SAID.get(fact.predicate) or BEHAVIOUR.get(fact.predicate)
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
    """What a preference rests on, quoted."""
    if is_implicit(held):
        quoted = f": “{held.said}”" if held.said is not None else ""
        return f"It was seen in at least {TURNS} different turns{quoted}."
    if held.said is None:
        return f"It was recorded as a fact: “{held.text}”."
    return f"It was said in so many words: “{held.said}”."
