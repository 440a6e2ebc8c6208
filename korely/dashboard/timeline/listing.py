"""The facts of an end user: a timeline for each subject and predicate."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from billing import services as billing
from facts import selectors
from facts.selectors import Timeline
from facts.vocabulary import TABLE
from korely.dashboard.explore.absent import absent_is_404
from korely.dashboard.membership import Place, in_project
from korely.dashboard.timeline.looking import Look, LookForm, WordsForm
from korely.dashboard.timeline.moments import sentence
from korely.dashboard.timeline.standing import Standing, standing
from korely.dashboard.timeline.strips import OFF, ON, PLAN, Span, Strip, packed
from korely.kernel.clock import now
from korely.kernel.tenancy import reading_scope

SIZE = 12  # timelines a page
ENTRIES = 50  # facts a page of one timeline


@dataclass(frozen=True, slots=True)
class Group:
    """A timeline as it is shown. `total`: its facts, with those that are not on the page."""

    lead: Standing
    entries: list[Standing]
    strip: Strip
    total: int
    mark: uuid.UUID


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.READ_MEMORIES)
def timeline(request: HttpRequest, place: Place) -> HttpResponse:
    """Whose facts, and the instants, are in the address; words to find are in the body."""
    asked = request.GET if request.GET else None
    form = LookForm(asked)
    words = WordsForm(request.POST if request.method == "POST" else None)
    shown = {"place": place, "form": form, "words": words, "size": SIZE}
    if asked is None:
        return render(request, "dashboard/timeline/timelines.html", shown)
    if not form.is_valid() or (words.is_bound and not words.is_valid()):
        return render(request, "dashboard/timeline/timelines.html", shown, status=422)
    look = Look.of(form)
    if look.names_someone:
        with absent_is_404():
            shown |= _found(request, place, look, words)
    return render(request, "dashboard/timeline/timelines.html", shown)


def _found(request: HttpRequest, place: Place, look: Look, words: WordsForm) -> dict[str, object]:
    moment, caller = now(), place.caller()
    typed = words.cleaned_data["words"] if words.is_bound else None
    wanted = look.wanted(typed)
    after, before = _mark(request, "after"), _mark(request, "before")
    of = _mark(request, "group")
    with reading_scope(caller.project_id):
        if of is not None:
            part = selectors.read_timeline(
                caller=caller, wanted=wanted, of=of, after=after, size=ENTRIES
            )
            lines = [Timeline(part.entries, len(part.entries))] if part.entries else []
            later, earlier = part.older, False
        else:
            page = selectors.list_timelines(
                caller=caller, wanted=wanted, size=SIZE, after=after, before=before
            )
            lines, later, earlier = page.timelines, page.later, page.earlier
        facts = [entry.fact.id for line in lines for entry in line.entries]
        billing.record(
            caller,
            "read",
            user_id=look.user_id,
            meta={"call": "dashboard.timeline", "returned": len(facts)},
            memories=[],
            facts=facts,
        )
    last = facts[-1] if of is not None and facts else lines[-1].mark if lines else None
    return {
        "look": look,
        "typed": typed,
        "sentence": sentence(look.reading, moment),
        "groups": [_group(line, look, moment) for line in lines],
        "alone": of,
        "later": last if later else None,
        "earlier": lines[0].mark if earlier and lines else None,
        "predicates": sorted(TABLE.union(line.entries[0].fact.predicate for line in lines)),
    }


def _mark(request: HttpRequest, name: str) -> uuid.UUID | None:
    text = request.POST.get(name) or request.GET.get(name)
    try:
        return uuid.UUID(text) if text else None
    except ValueError:
        raise Http404 from None


def _group(line: Timeline, look: Look, moment: datetime) -> Group:
    entries = [
        standing(entry.fact, shown=entry.shown, reading=look.reading, now=moment)
        for entry in line.entries
    ]
    spans = [Span(one.fact.valid_from, one.fact.invalid_at, _kind(one)) for one in entries]
    return Group(
        lead=entries[0],
        entries=entries,
        strip=packed(spans, at=look.at or moment),
        total=line.total,
        mark=line.mark,
    )


def _kind(one: Standing) -> str:
    if one.fact.tense == "planned":
        return PLAN
    return ON if one.strong else OFF
