"""The predicate table as data: family, and whether a predicate holds one value or many.

Source: the product's fact rules ("Predicates"). Every other module asks the functions of
`facts.vocabulary`; nothing else repeats this table.
"""

from facts.vocabulary.words import words

FAMILIES: tuple[str, ...] = (
    "preferences",
    "people",
    "places",
    "work",
    "ownership",
    "health",
    "financial",
    "events",
    "other",
)

FAMILY_ALIASES: dict[str, str] = {
    "preference": "preferences",
    "location": "places",
    "employment": "work",
}

SINGLE_BY_FAMILY: dict[str, frozenset[str]] = {
    "preferences": frozenset({"prefers_contact"}),
    "people": frozenset({"has_spouse", "has_partner", "has_manager"}),
    "places": frozenset({"lives_in", "born_in", "from", "located_in", "time_zone"}),
    "work": frozenset({"works_at", "works_as", "studies_at", "works_on_team"}),
    "ownership": frozenset({"plan"}),
    "health": frozenset({"diet"}),
    "financial": frozenset({"salary", "budget", "price"}),
    "events": frozenset({"scheduled_for", "deadline", "born_on", "started_on", "ended_on"}),
    "other": frozenset({"has_name", "age", "gender", "email", "phone", "status"}),
}

MANY_BY_FAMILY: dict[str, frozenset[str]] = {
    "preferences": frozenset(
        {"likes", "dislikes", "prefers", "interested_in", "wants", "has_goal", "avoids"}
    ),
    "people": frozenset(
        {
            "has_child",
            "has_parent",
            "has_sibling",
            "has_friend",
            "has_colleague",
            "has_relative",
            "has_pet",
            "knows",
        }
    ),
    "places": frozenset({"visited", "travels_to"}),
    "work": frozenset(
        {"works_on", "studies", "manages", "founded", "skilled_in", "speaks", "uses"}
    ),
    "ownership": frozenset({"owns", "subscribes_to", "bought", "sold"}),
    "health": frozenset({"allergic_to", "has_condition", "takes_medication", "does_exercise"}),
    "financial": frozenset({"pays_for", "invested_in"}),
    "events": frozenset({"attended", "plans_to", "completed", "won"}),
    "other": frozenset({"is_a", "has", "believes"}),
}

SINGLE: frozenset[str] = frozenset().union(*SINGLE_BY_FAMILY.values())
MANY: frozenset[str] = frozenset().union(*MANY_BY_FAMILY.values())
TABLE: frozenset[str] = SINGLE | MANY

FAMILY_OF: dict[str, str] = {
    predicate: family
    for part in (SINGLE_BY_FAMILY, MANY_BY_FAMILY)
    for family, predicates in part.items()
    for predicate in predicates
}

# The rules name one opposite pair. `prefers` and `avoids` are about different things (a choice, a
# habit), so that neither ends the other.
OPPOSITES: dict[str, frozenset[str]] = {
    "likes": frozenset({"dislikes"}),
    "dislikes": frozenset({"likes"}),
}

# Things that happen once and stay true: `current` from the day they happened.
ONE_TIME: frozenset[str] = frozenset(
    {"visited", "attended", "completed", "won", "bought", "sold", "founded"}
)

# Their date is the object, not the start of the fact.
DATED_BY_OBJECT: frozenset[str] = frozenset(
    {"scheduled_for", "deadline", "born_on", "started_on", "ended_on"}
)

# Nouns that make `has_<noun>` a property of a thing and not a person's role.
PROPERTY_NOUNS: frozenset[str] = words(
    """account address allergy amount appetite blood_type budget car code color deadline degree
    device employees experience fear feature habit hobby id language license licence limit
    location member members membership nickname number office option password permission plan port
    price problem product property rate rent requirement role rule size status style subscription
    symptom title type url value version weight"""
)
