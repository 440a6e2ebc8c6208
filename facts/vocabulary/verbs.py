"""English verb forms, enough to bring an open verb to its third person ("playing" -> "plays").

Data for predicate names and for the pattern engine: a base form, its third person, past, past
participle and -ing form. The list holds verbs that people use of themselves; a word that is not in
it is never guessed to be a verb.
"""

from dataclasses import dataclass
from typing import Literal

from facts.vocabulary.words import words

Form = Literal["base", "third", "past", "participle", "ing"]

# base past participle [ing]
_IRREGULAR = """
be was been|beat beat beaten|become became become|begin began begun|bend bent bent|bet bet bet
bite bit bitten|blow blew blown|break broke broken|breed bred bred|bring brought brought
build built built|burn burnt burnt|buy bought bought|catch caught caught|choose chose chosen
come came come|cost cost cost|cut cut cut|deal dealt dealt|do did done|draw drew drawn
dream dreamt dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown
forget forgot forgotten|get got gotten|give gave given|go went gone|grow grew grown
have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt
keep kept kept|know knew known|lead led led|leave left left|lend lent lent|let let let
lie lay lain lying|lose lost lost|make made made|mean meant meant|meet met met|pay paid paid
put put put|quit quit quit quitting|read read read|ride rode ridden|rise rose risen|run ran run
say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set
sew sewed sewn|shoot shot shot|show showed shown|sing sang sung|sit sat sat|sleep slept slept
speak spoke spoken|spend spent spent|split split split splitting|stand stood stood
steal stole stolen|swim swam swum|take took taken|teach taught taught|tell told told
think thought thought|throw threw thrown|understand understood understood|upset upset upset
wake woke woken|wear wore worn|weave wove woven|win won won|write wrote written
"""

_REGULAR = """
touch hand sign cause seem sound smell allow block hope agree belong exist suspect uninstall dump
ditch fill pull knock talk resolve reply respond laugh owe insure depart reserve divorce cycle tour
settle foster bump pin occur happen appear sprain fracture consume despise idolize crave devour
monitor automate deprecate refactor containerize track log reject approve confirm
accept ache add adopt adore advise aim answer apply approve argue arrange arrive ask assume attend
audit avoid back bake balance bank base bike blog boil book borrow box brew bump busk call camp
cancel care carry celebrate chair change charge check climb close coach code collect commute
compete complete compose compost consider consult contract contribute convert cook cope cover
craft crave create crochet cruise cycle dance date decide decline decorate delete deliver depend
deploy design despise detest develop die direct dislike dive divorce donate downgrade draft dread
dress drop dye earn edit employ enjoy enrol enroll envy escape evaluate examine exchange exercise
exhibit expect experience explain explore export fail farm fast fence ferment file film finish
fish fix floss follow foster found frame freelance game garden gather graduate guard guide handle
happen hate head help hike hire homeschool host house-sit hunt identify illustrate import improve
inherit install intend interview introduce invent invest iron jog join judge juggle jump kayak
knit lack last launch learn lease lecture lift like limit line listen live loathe look love
maintain manage market marry master meditate mentor migrate mind miss mix moderate monitor
moonlight move mow name navigate need nurse offer open operate order organise organize own pack
paint park participate pass patrol perform photograph pick plan plant play point polish post
practice practise prefer prepare present preserve print process produce program promote propose
publish pursue push raise reach record recover recycle refactor refurbish refuse regret rehearse
relax release relocate remodel remove renew renovate rent repair replace report represent require
research resent reside resign respect restore retire return review roast row sail save schedule
score sculpt search serve settle share ship shop sign skate sketch ski skip smoke snore snowboard
sort sponsor start stay stop store stream stretch struggle study submit subscribe suffer supervise
support surf switch target taste tend test thank tour trade train transfer translate travel
treasure treat trust try tutor twitch type unite update upgrade use value vape visit volunteer
wait walk want wash watch water weigh welcome whittle wish wonder work worry worship wrestle yearn
"""

_DOUBLING = words(
    "bet chat chop commit cut drop fit forget get hop hit hug jog let log mop nap net permit pin "
    "plan prefer program put quit refer regret rip rub run set shop sit skip slip snap split step "
    "stop submit swim tap trap travel wrap win equip patrol"
)


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb with the forms that differ from its base."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


def _third(base: str) -> str:
    if base in {"be", "have", "do", "go"}:
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return (base + base[-1] if base in _DOUBLING else base) + "ed"


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return (base + base[-1] if base in _DOUBLING else base) + "ing"


def _build() -> dict[str, Verb]:
    verbs: dict[str, Verb] = {}
    for base in _REGULAR.split():
        past = _regular_past(base)
        verbs[base] = Verb(base, _third(base), past, past, _ing(base))
    for row in _IRREGULAR.replace("\n", "|").split("|"):
        parts = row.split()
        if parts:
            base, past, participle = parts[:3]
            ing = parts[3] if len(parts) > 3 else _ing(base)
            verbs[base] = Verb(base, _third(base), past, participle, ing)
    return verbs


VERBS: dict[str, Verb] = _build()

_FORMS: dict[str, list[tuple[str, Form]]] = {}
for _verb in VERBS.values():
    for _word, _form in (
        (_verb.base, "base"),
        (_verb.third, "third"),
        (_verb.past, "past"),
        (_verb.participle, "participle"),
        (_verb.ing, "ing"),
    ):
        _FORMS.setdefault(_word, []).append((_verb.base, _form))  # type: ignore[arg-type]
for _word, _base, _form in (
    ("got", "get", "participle"),
    ("travelled", "travel", "past"),
    ("traveled", "travel", "past"),
    ("traveled", "travel", "participle"),
    ("traveling", "travel", "ing"),
    ("cancelled", "cancel", "past"),
    ("cancelled", "cancel", "participle"),
    ("cancelling", "cancel", "ing"),
    ("travelling", "travel", "ing"),
    ("travelled", "travel", "participle"),
    ("learnt", "learn", "past"),
    ("learnt", "learn", "participle"),
    ("burned", "burn", "past"),
    ("dreamed", "dream", "past"),
    ("were", "be", "past"),
    ("luv", "love", "base"),
):
    _FORMS.setdefault(_word, []).append((_base, _form))  # type: ignore[arg-type]


def readings(word: str) -> list[tuple[str, Form]]:
    """Every (base, form) that the lower-case `word` can be; none for an unknown verb."""
    return _FORMS.get(word, [])


def third_person(base: str) -> str:
    """ "play" -> "plays"; works for verbs outside the list too."""
    verb = VERBS.get(base)
    return verb.third if verb else _third(base)
