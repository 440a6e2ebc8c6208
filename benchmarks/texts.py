"""Made-up memories: plain statements about made-up people, the same ones for the same seed."""

from __future__ import annotations

import random

_NAMES = (
    "Ada Bruno Chidi Dana Emre Freya Goran Hana Ines Jonas Kaito Lena Milan Nora Omar Petra".split()
)
_CITIES = (
    "Ghent Porto Turku Lyon Graz Malmo Bilbao Cork Tartu Bari Leeds Gdansk Utrecht Varna".split()
)
_FIRMS = "Brightwell Tidemark Ferrostone Quillworks Novaduct Lumenfold Hartree Pinegate".split()
_JOBS = "a baker|a nurse|a data engineer|a tram driver|an architect|a florist|a tax adviser".split(
    "|"
)
_FOODS = "lentil soup|rye bread|mango|plum cake|pickled herring|fennel|walnuts|oat milk".split("|")
_SPORTS = "rowing|bouldering|fencing|curling|badminton|trail running|archery".split("|")
_THINGS = "cargo bike|accordion|greenhouse|telescope|sewing machine|canoe|espresso machine".split(
    "|"
)
_PLACES = (
    "harbour|old library|botanical garden|night market|observatory|town hall|ferry pier".split("|")
)
_TIMES = "yesterday|last week|in early spring|on a rainy Tuesday|before lunch|after work".split("|")

_FORMS = (
    "I live in {city}.",
    "I work at {firm} as {job}.",
    "My sister {name} lives in {city}.",
    "I love {food} and I hate {other_food}.",
    "I am allergic to {food}.",
    "My favourite sport is {sport}.",
    "{name} works at {firm}.",
    "I bought a {thing} {time}.",
    "I moved to {city}.",
    "My brother {name} is {job}.",
    "I have a dog named {name}.",
    "I met {name} at the {place} {time}.",
    "We talked about the {thing} near the {place} in {city} {time}.",
    "{name} showed me how to repair a {thing} while we waited at the {place}.",
    "The meeting with {firm} about {sport} equipment was moved to the {place}.",
)

_QUESTIONS = (
    "Where does {name} live?",
    "What do I think about {food}?",
    "who repaired the {thing}",
    "meeting with {firm} at the {place}",
    "Which sport do I like besides {sport}?",
    "What happened in {city} {time}?",
)


class Writer:
    """An endless supply of texts. Not for secrets: the generator is seeded."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def _fill(self, form: str) -> str:
        pick = self.random.choice
        return form.format(
            name=pick(_NAMES),
            city=pick(_CITIES),
            firm=pick(_FIRMS),
            job=pick(_JOBS),
            food=pick(_FOODS),
            other_food=pick(_FOODS),
            sport=pick(_SPORTS),
            thing=pick(_THINGS),
            place=pick(_PLACES),
            time=pick(_TIMES),
        )

    def memory(self) -> str:
        """One to three sentences, 20 to 200 characters; about seven terms."""
        count = self.random.choices((1, 2, 3), (60, 30, 10))[0]
        return " ".join(self._fill(self.random.choice(_FORMS)) for _ in range(count))

    def question(self) -> str:
        return self._fill(self.random.choice(_QUESTIONS))
