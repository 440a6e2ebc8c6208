"""Reads one sentence after another of a memory, with what earlier ones have named."""

import bisect
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from facts.extraction import filters
from facts.extraction.dates import DatePhrase, find_dates
from facts.extraction.grammar.lexicon import BE, MODALS
from facts.extraction.grammar.clauses import Clause, read_clauses, skip_leads
from facts.extraction.grammar.subjects import Subject, read_subjects
from facts.extraction.grammar.verbs import VerbGroup, read_verb_group
from facts.extraction.memory import Mentions
from facts.extraction.reading import read
from facts.extraction.statements import foreign, fragments, notes, passing
from facts.extraction.statements.frame import Draft, Frame
from facts.extraction.text import Line, Sentence, Token, tokenize
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

_SKIPPED_LINKS = words(
    "if unless whether lest since when whenever until till before after how what why where that than as once which wherever"
)
_SAYING = words(
    "say think claim believe suggest insist guess reckon wonder joke argue tell mention ask hope wish promise recommend advise"
)
_FIRST = re.compile(r"\b(?:i|i'm|im|i've|ive|my|me|we|our|user|customer|client)\b", re.I)
# What somebody says of himself with the "I'm" left out ("moving to Oslo").
_CLIPPED_ING = words("move relocate start learn study live work switch go fly travel leave train")
_CORRECTIONS = ("scratch that", "no wait", "correction", "i meant", "sorry, i meant", "i misspoke")


class SentenceReader:
    """Keeps what a memory has named while its sentences are read in order."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.mentions = Mentions()
        self.spoken = False

    @property
    def is_about_others(self) -> bool:
        """Whether the memory has named people and never the end user: a clipped note is then open."""
        return bool(self.mentions.people) and not self.spoken

    def pause(self) -> None:
        """An assistant's line: nothing is read, nothing is remembered."""

    def read_line(
        self, line: Line, sentences: Sequence[Sentence], me: Subject, today: date
    ) -> list[Draft]:
        """The drafts of one line of `me`, counted from `today`."""
        self.spoken = self.spoken or line.labelled or _FIRST.search(line.text) is not None
        if any(
            filters.is_injection(s.text) and s.text.casefold().startswith(("system", "developer"))
            for s in sentences
        ):
            return []
        if sentences and filters.is_task(sentences[0].text):
            return []
        out: list[Draft] = []
        before: list[Draft] = []
        for sentence in sentences:
            drafts = self._sentence(line, sentence, me, today)
            if filters.is_only_joke_mark(sentence.text):
                out, before = out[: len(out) - len(before)], []
                continue
            low = sentence.text.casefold()
            if any(mark in low for mark in _CORRECTIONS):
                slots = {(d.subject.name, d.predicate) for d in drafts if d.move == "state"}
                out = [d for d in out if (d.subject.name, d.predicate) not in slots]
            out += drafts
            before = drafts
        return out

    def _sentence(self, line: Line, sentence: Sentence, me: Subject, today: date) -> list[Draft]:
        text = sentence.text
        if (
            filters.is_injection(text)
            or filters.is_joke(text)
            or filters.is_task(text)
            or line.is_heading
        ):
            return []
        tokens = tokenize(text, sentence.start)
        if not tokens:
            return []
        drafts = self._asides(text, sentence, tokens, me, today)
        if filters.is_question(sentence, tokens) or filters.is_hearsay(text):
            self.mentions.add_names(tokens)
            return drafts
        if sentence.mark == "?":
            tokens = tokens[: filters.question_start(tokens)]
            if not tokens:
                return drafts
        noted = self._notes(line, text, sentence, me, today)
        if noted is not None:
            return _merge(drafts, noted)
        abroad = self._foreign(text, sentence, me)
        if abroad:
            return _merge(drafts, abroad)
        dates = find_dates(text, sentence.start)
        stated = _Clauses(self, tokens, dates, me, today).read()
        if filters.is_hypothetical(text):
            stated = [d for d in stated if d.start > _turn(tokens)]
        self.mentions.add_names(tokens)
        return _merge(drafts, stated)

    def _asides(
        self, text: str, sentence: Sentence, tokens: Sequence[Token], me: Subject, today: date
    ) -> list[Draft]:
        found = passing.read_relations(tokens, me.name)
        if sentence.mark != "?":
            found += passing.read_titles(tokens)
            found += passing.read_contacts(text, sentence.start, tokens)
            found += passing.read_channels(text, sentence.start)
            found += passing.read_name_is(tokens)
        drafts: list[Draft] = self._trips(text, sentence, me, today)
        for aside in found:
            subject = passing.subject_of(aside, me)
            if aside.owner in {"his", "her", "their"}:
                noun = {"his": "he", "her": "she", "their": "they"}[aside.owner]
                gender = "m" if noun == "he" else "f" if noun == "she" else ""
                owners = self.mentions.resolve(
                    Subject("pronoun", "", 0, 0, gender=gender, noun=noun)  # type: ignore[arg-type]
                )
                if len(owners) != 1:
                    continue
                subject = owners[0]
            drafts.append(
                Draft(
                    subject, aside.predicate, aside.raw, aside.value, "current", "state", None, None,
                    (), 0.85, aside.start, aside.end,
                )
            )  # fmt: skip
        return drafts

    def _foreign(self, text: str, sentence: Sentence, me: Subject) -> list[Draft]:
        return [
            Draft(
                me, saying.predicate, saying.predicate, saying.object, saying.tense, saying.move, None,
                None, (), 0.75, sentence.start + saying.start, sentence.start + saying.end,
            )
            for saying in foreign.read_foreign(text)
        ]  # fmt: skip

    def _trips(self, text: str, sentence: Sentence, me: Subject, today: date) -> list[Draft]:
        """ "my trip to Vietnam on 3 November": a plan when a date says that it lies ahead."""
        drafts: list[Draft] = []
        for aside in passing.read_cancelled(text, sentence.start):
            drafts.append(
                Draft(
                    me, "travels_to", aside.raw, aside.value, "planned", "end", None, None, (), 0.8,
                    aside.start, aside.end,
                )
            )  # fmt: skip
        for aside in passing.read_first_days(text, sentence.start):
            first = next(iter(find_dates(text, sentence.start)), None)
            day = first.day(today, forward=False) if first and first.role == "at" else None
            drafts.append(
                Draft(
                    me, "works_at", aside.raw, aside.value, "current", "state", day, None, (), 0.8,
                    aside.start, aside.end,
                )
            )  # fmt: skip
        for aside in passing.read_trips(text, sentence.start):
            phrase = next(
                (p for p in find_dates(text, sentence.start) if p.start >= aside.end), None
            )
            if phrase is None or phrase.start - aside.end > 3 or phrase.role not in {"at", "start"}:
                continue
            day = phrase.day(today, forward=True)
            if day is None or day < today:
                continue
            drafts.append(
                Draft(
                    me, "travels_to", aside.raw, aside.value, "planned", "state", day, None, (), 0.75,
                    aside.start, phrase.end,
                )
            )  # fmt: skip
        return drafts

    def _notes(
        self, line: Line, text: str, sentence: Sentence, me: Subject, today: date
    ) -> list[Draft] | None:
        if line.role == "speaker" and not line.is_item:
            return None
        found = notes.read_note(text, sentence.start)
        if found is None:
            found = notes.read_equation(text, sentence.start)
            if not found:
                return None
        drafts: list[Draft] = []
        for note in found:
            subject = Subject("name", note.about, note.start, note.end) if note.about else me
            value = note.value
            begun: date | None = None
            if note.dated:
                stated = find_dates(note.dated)
                begun = stated[0].day(today, forward=False) if stated else None
            if note.predicate in {"born_on"}:
                dates = find_dates(value)
                day = dates[0].day(today, forward=False) if dates else None
                value = (
                    day.isoformat()
                    if day and dates[0].moment.year and dates[0].moment.day
                    else value
                )
            drafts.append(
                Draft(
                    subject, note.predicate, note.raw, value, "current", "state", begun, None, (), 0.8,
                    note.start, note.end,
                )
            )  # fmt: skip
        return drafts


def _merge(first: list[Draft], second: list[Draft]) -> list[Draft]:
    """Both lists without a statement that another one makes already."""
    out: list[Draft] = list(second)
    for draft in first:
        same = any(
            d.predicate == draft.predicate
            and d.object.casefold() == draft.object.casefold()
            and d.subject.name == draft.subject.name
            for d in out
        )
        if not same:
            out.append(draft)
    out.sort(key=lambda draft: draft.start)
    return out


def _turn(tokens: Sequence[Token]) -> int:
    """Where a hypothetical sentence turns to what is so ("…, but for now I stay")."""
    for token in tokens:
        if token.low == "but":
            return token.start
    return tokens[-1].end if tokens else 0


def verb_ing(clause: Clause) -> bool:
    """Whether the clause is an -ing form without a subject."""
    return clause.verb is not None and clause.verb.form == "ing" and not clause.subjects


class _Clauses:
    """The clauses of one sentence."""

    def __init__(
        self,
        reader: SentenceReader,
        tokens: Sequence[Token],
        dates: Sequence[DatePhrase],
        me: Subject,
        today: date,
    ) -> None:
        self.reader, self.tokens, self.dates = reader, tokens, dates
        self.me, self.today = me, today
        starts = [token.start for token in tokens]
        self.date_ends: dict[int, int] = {}
        for phrase in dates:
            begin = bisect.bisect_left(starts, phrase.start)
            self.date_ends[begin] = max(bisect.bisect_left(starts, phrase.end), begin + 1)

    def read(self) -> list[Draft]:
        tokens = self.tokens
        first = skip_leads(tokens, 0, self.date_ends)
        commanded = filters.is_command(tokens, first)
        clauses = read_clauses(tokens, self.me.name, self.date_ends)
        out: list[Draft] = []
        last: list[Draft] = []
        for number, clause in enumerate(clauses):
            if clause.link in {"if", "unless"} and number:
                out = out[: len(out) - len(last)]
            if clause.verb is None:
                last = self._fragment(clauses, number, clause)
                out += last
                continue
            if commanded and not clause.subjects:
                continue
            if self._is_reported(clause):
                self.reader.mentions.add(clause.subjects)
                told = self._told(clause)
                out += told
                break
            following = clauses[number + 1] if number + 1 < len(clauses) else None
            if verb_ing(clause) and following and following.subjects and not following.link:
                # "Living in the city, I miss nature": an adverbial, not a statement of its own.
                continue
            last = self._clause(clauses, number, clause)
            out += last
        return out

    def _fragment(self, clauses: Sequence[Clause], number: int, clause: Clause) -> list[Draft]:
        """A clause without a verb: "allergic to penicillin", "no fan of horror", "rent 900"."""
        if clause.begin >= clause.end or self.reader.is_about_others:
            return []
        first = self.tokens[clause.begin]
        verb = VerbGroup(
            "be", "base", "present", False, False, False, "", False, False, clause.begin,
            clause.begin, first.start, first.start,
        )  # fmt: skip
        frame = Frame(
            self.tokens, replace(clause, verb=verb, rest=clause.begin), verb, (self.me,),
            self._dates(clauses, number), self.today, self.me,
        )  # fmt: skip
        fragments.read_fragment(frame)
        return frame.drafts

    def _is_reported(self, clause: Clause) -> bool:
        verb = clause.verb
        if verb is None or verb.base not in _SAYING or verb.passive or not clause.subjects:
            return False
        subject = clause.subjects[0]
        return subject.kind != "self" or verb.base in {
            "say",
            "tell",
            "wonder",
            "wish",
            "hope",
            "ask",
        }

    def _told(self, clause: Clause) -> list[Draft]:
        """ "Anna told me she's moving": what people tell of themselves is endorsed."""
        verb = clause.verb
        if verb is None or verb.base not in {"tell", "mention", "say"} or verb.negated:
            return []
        subject = clause.subjects[0]
        if subject.kind not in {"name", "relation"} and not (
            subject.kind == "self" and subject.start != subject.end and verb.form == "third"
        ):
            return []
        if verb.base == "say":
            return []
        at = clause.rest
        while at < len(self.tokens) and self.tokens[at].low in {
            "me",
            "us",
            "to",
            "that",
            "yesterday",
            "today",
        }:
            at += 1
        found = read_subjects(self.tokens, at, self.me.name)
        if found is None or found.subjects[0].kind != "pronoun":
            return []
        inner = read_verb_group(self.tokens, found.after, found.subjects[0])
        if inner is None:
            return []
        who = found.subjects[0]
        agrees = subject.gender in {"", who.gender} or who.noun == "they"
        if not agrees:
            return []
        sub = Clause("", (subject,), inner, at, inner.after, clause.end)
        return self._clause([sub], 0, sub)

    def _clause(self, clauses: Sequence[Clause], number: int, clause: Clause) -> list[Draft]:
        verb = clause.verb
        if verb is None or clause.link in _SKIPPED_LINKS:
            self.reader.mentions.add(clause.subjects)
            return []
        subjects = self._subjects(clause)
        if not subjects:
            return []
        frame = Frame(
            self.tokens, clause, verb, subjects, self._dates(clauses, number), self.today, self.me
        )
        read(frame)
        self.reader.mentions.add([s for s in subjects if s.kind != "self"])
        return [self._resolve(draft) for draft in frame.drafts]

    def _resolve(self, draft: Draft) -> Draft:
        return draft

    def _subjects(self, clause: Clause) -> tuple[Subject, ...]:
        verb = clause.verb
        if verb is None:
            return ()
        if not clause.subjects:
            if clause.link in {"who", "whose", "which", "that"}:
                return self._antecedent(clause) if clause.link == "who" else ()
            if verb.form == "base" and verb.time == "present" and verb.base not in {
                "love", "hate", "like", "prefer", "be", "have", "live", "work", "dislike"}:  # fmt: skip
                return ()
            if self.tokens[verb.begin].low in {"being", "been"}:
                return ()
            if verb.form == "ing" and (verb.base not in _CLIPPED_ING or self._is_gerund(clause)):
                return ()
            return () if self.reader.is_about_others and verb.form != "ing" else (self.me,)
        out: list[Subject] = []
        for subject in clause.subjects:
            if subject.kind == "you":
                return ()
            if subject.kind == "pronoun":
                resolved = self.reader.mentions.resolve(subject)
                if not resolved:
                    return ()
                out += resolved
            elif subject.kind == "self":
                out.append(
                    replace(self.me, start=subject.start, end=subject.end, plural=subject.plural)
                )
            else:
                out.append(subject)
        return tuple(out)

    def _is_gerund(self, clause: Clause) -> bool:
        """ "Living in Oslo is expensive": the -ing form is the subject of another verb."""
        for token in self.tokens[clause.rest : clause.end]:
            if token.low in BE | MODALS:
                return True
            if any(form == "third" for _, form in readings(token.low)):
                return True
        return False

    def _antecedent(self, clause: Clause) -> tuple[Subject, ...]:
        """Who "who" is: a name or relation that ends just before the clause."""
        place = self.tokens[clause.begin].start
        for subject in reversed(self.reader.mentions.people):
            if 0 <= place - subject.end <= 8:
                return (subject,)
        for begin in range(max(0, clause.begin - 6), clause.begin):
            found = read_subjects(self.tokens, begin, self.me.name)
            if (
                found
                and found.after in {clause.begin - 1, clause.begin - 2}
                and found.subjects[0].kind in {"name", "relation"}
            ):
                return found.subjects
        return ()

    def _dates(self, clauses: Sequence[Clause], number: int) -> list[DatePhrase]:
        """The dates of a clause: those inside it, and those that lead in to it."""
        clause = clauses[number]
        begin = self.tokens[clause.begin].start
        end = self.tokens[clause.end - 1].end if clause.end else begin
        lead = (
            0
            if number == 0
            else self.tokens[min(clauses[number - 1].end, len(self.tokens) - 1)].start
        )
        return [p for p in self.dates if lead <= p.start < begin or begin <= p.start < end]
