"""Verb groups: "have not been living", "used to work", "is going to move", "no longer uses"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from facts.extraction.grammar.lexicon import (
    ADVERBS,
    BE,
    BE_PAST,
    DO,
    DOUBT,
    HAVE,
    MODALS,
    WEAK,
)
from facts.extraction.grammar.referent import Subject
from facts.extraction.text.tokens import Token
from facts.vocabulary.verbs import Form, readings
from facts.vocabulary.words import words

Time = Literal["present", "past", "perfect", "future"]

# One form for both times; of oneself it is mostly the present.
_SAME_IN_PAST = words("put cut cost let bet set")
_AFTER_HAS = words("been got had become moved started joined switched left")
_BE_ADJECTIVES = words(
    "allergic vegan vegetarian married divorced based born interested located called named"
)


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """One verb group. `base` is the main verb's base form ("be" for a bare copula).

    `negated`: "not" or "never"; `over`: "no longer", "used to"; `doubtful`: a modal or adverb
    leaves open whether it is so; `wish`: "would like", "would rather"; `form`: of the main verb.
    """

    base: str
    form: Form
    time: Time
    negated: bool
    over: bool
    doubtful: bool
    wish: Literal["", "like", "rather"]
    progressive: bool
    passive: bool
    begin: int
    after: int
    start: int
    end: int


def read_verb_group(tokens: Sequence[Token], at: int, subject: Subject | None) -> VerbGroup | None:
    """The verb group that begins at `at`, None when none does. No subject: a clipped note."""
    reader = _Reader(tokens, at, subject)
    return reader.read()


class _Reader:
    def __init__(self, tokens: Sequence[Token], at: int, subject: Subject | None) -> None:
        self.tokens, self.begin, self.at, self.subject = tokens, at, at, subject
        self.be = self.be_past = self.have = self.had = self.do_past = self.do = False
        self.negated = self.over = self.doubtful = self.future = self.modal = False
        self.wish: Literal["", "like", "rather"] = ""

    def low(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.tokens[index].low if index < len(self.tokens) else ""

    def read(self) -> VerbGroup | None:
        while self.at < len(self.tokens):
            if not self._step():
                break
        return self._main()

    def _step(self) -> bool:
        """Reads one word of the group; False when the main verb or something else is reached."""
        low = self.low()
        if self._turns_round(low):
            return True
        if low == "no" or (low in {"so", "right", "all"} and self.be):
            return False
        if low in ADVERBS and not self._is_main_anyway(low):
            self.doubtful |= low in WEAK
            self.at += 1
            return True
        return self._auxiliary(low)

    def _turns_round(self, low: str) -> bool:
        """Negation, "used to", "no longer", "rather"."""
        if low == "no" and self.low(1) in {"longer", "more"}:
            self.over, self.at = True, self.at + 2
        elif low in {"not", "n't", "never"}:
            self.negated, self.at = not self.negated or low != "never", self.at + 1
        elif low == "used" and self.low(1) == "to" and not self.be:
            self.over, self.at = True, self.at + 2
            self.do_past = True
        elif low == "rather" and self.modal:
            self.wish, self.at = "rather", self.at + 1
            self.doubtful = False
        else:
            return False
        return True

    def _auxiliary(self, low: str) -> bool:
        if low in {"'s"} or low in BE:
            return self._be(low)
        if low in HAVE:
            return self._have(low)
        if low in DO and self._do_is_auxiliary():
            self.do, self.do_past = True, low == "did"
            self.at += 1
        elif low in MODALS and not self.be:
            self._modal(low)
        elif low == "going" and self.be and self.low(1) == "to" and self._base_follows(2):
            self.future, self.at = True, self.at + 2
            self.be = False
        elif low == "about" and self.be and self.low(1) == "to":
            self.future, self.at, self.be = True, self.at + 2, False
        else:
            return False
        return True

    def _is_main_anyway(self, low: str) -> bool:
        return low in {"long"} or (low in {"only", "very", "so", "pretty", "quite"} and self.be)

    def _be(self, low: str) -> bool:
        if low == "'s" and self.subject is not None and self._has_by_s():
            self.have = True
            self.at += 1
            return True
        if low == "'s" and self.subject is None:
            return False
        self.be, self.at = True, self.at + 1
        self.be_past |= low in BE_PAST
        return True

    def _has_by_s(self) -> bool:
        index = 1
        while self.low(index) in ADVERBS:
            index += 1
        low = self.low(index)
        return low in _AFTER_HAS

    def _have(self, low: str) -> bool:
        index = 1
        while self.low(index) in ADVERBS | {"no"} and self.low(index) != "no":
            index += 1
        follower = self.low(index)
        if any(form == "participle" for _, form in readings(follower)) or follower == "been":
            if follower == "got" and low != "had" and self.low(index + 1) != "to":
                # "have got" is plain possession.
                self.at += index + 1
                self._got = True
                return False
            self.have, self.had, self.at = True, low == "had", self.at + 1
            return True
        return False

    _got = False

    def _do_is_auxiliary(self) -> bool:
        index = 1
        while self.low(index) in ADVERBS:
            index += 1
        return any(form == "base" for _, form in readings(self.low(index))) and (
            self.low(1) in ADVERBS or self.low() != "do" or index > 1
        )

    def _base_follows(self, ahead: int) -> bool:
        while self.low(ahead) in ADVERBS:
            ahead += 1
        return any(form == "base" for _, form in readings(self.low(ahead)))

    def _modal(self, low: str) -> None:
        self.modal = True
        if low in {"would", "'d"} and self.low(1) in {"like", "love", "prefer"}:
            self.wish, self.at = "like", self.at + 1
        elif low in DOUBT:
            self.doubtful, self.at = True, self.at + 1
        else:
            self.future |= low in {"will", "'ll", "shall"}
            self.at += 1

    def _main(self) -> VerbGroup | None:
        low = self.low()
        if self._got:
            return self._group("have", "base", self.at)
        found = readings(low)
        if self.be:
            for base, form in found:
                if form == "ing" and base != "be" and not self._noun_after_be(low):
                    return self._group(base, form, self.at + 1, progressive=True)
            for base, form in found:
                if form == "participle" and low not in _BE_ADJECTIVES:
                    return self._group(base, form, self.at + 1, passive=True)
            return self._group("be", "base", self.at)
        ended = (self.over or self.negated) and not (self.do or self.have or self.modal)
        if ended and low in {"at", "with"} and self.at > self.begin:
            # "no longer at X", "not at X anymore": the copula is left out.
            return self._group("be", "base", self.at)
        base_form = self._pick(found)
        return self._group(*base_form, self.at + 1) if base_form else None

    def _noun_after_be(self, low: str) -> bool:
        return low in {"boring", "amazing", "interesting", "missing", "outstanding"}

    def _pick(self, found: list[tuple[str, Form]]) -> tuple[str, Form] | None:
        forms = dict[Form, str]()
        for base, form in found:
            forms.setdefault(form, base)
        if self.have:
            wanted: tuple[Form, ...] = ("participle",)
        elif self.do or self.modal or self.future or self.do_past:
            wanted = ("base",)
        elif self.subject is None:
            wanted = ("third", "past", "ing", "participle", "base")
        elif self.subject.kind in {"self", "you"} and self.subject.noun == "":
            wanted = ("past", "base", "third") if self._first_person() else ("third", "past")
        elif self.subject.plural:
            wanted = ("past", "base")
        else:
            wanted = ("third", "past")
        if "base" in wanted and forms.get("base") in _SAME_IN_PAST:
            return forms["base"], "base"
        for form in wanted:
            if form in forms:
                return forms[form], form
        return None

    def _first_person(self) -> bool:
        return self.begin > 0 and self.tokens[self.begin - 1].low in {"i", "we", "you", "also"}

    def _group(
        self, base: str, form: Form, after: int, *, progressive: bool = False, passive: bool = False
    ) -> VerbGroup | None:
        if after == self.begin:
            return None
        time: Time = "present"
        if self.future:
            time = "future"
        elif self.have:
            time = "past" if self.had else "perfect"
        elif (
            self.be_past
            or self.do_past
            or (form == "past" and not self.be)
            or (form == "participle" and not passive and not self.have)
        ):
            time = "past"
        last = self.tokens[min(after, len(self.tokens)) - 1]
        return VerbGroup(
            base, form, time, self.negated, self.over, self.doubtful, self.wish,
            progressive or (form == "ing" and not self.be), passive, self.begin, after,
            self.tokens[self.begin].start, last.end,
        )  # fmt: skip
