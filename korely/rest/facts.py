"""`/v1/facts` and below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse

from billing import services as billing
from facts import services as facts
from facts.services import Parts, Triple
from korely.http import asking, stating
from korely.http.repeats import Repeat, once
from korely.http.views import ApiView, operation
from korely.kernel import ids
from korely.kernel.caller import READ, WRITE, Caller
from korely.rest import answers, presentation, reasons
from korely.rest.one_read import one_read
from korely.rest.segments import object_id
from memories import selectors as memory_selectors
from memories import services as memories


class Facts(ApiView):
    @operation(
        scope=READ,
        summary="Facts, now or at any instant of either clock",
        query=asking.ListFacts,
        answers=answers.FactList,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        page = memories.read_facts(
            caller=caller,
            wanted=asking.fact_filter(query),
            limit=query["limit"],
            offset=query["offset"],
        )
        return {"facts": [presentation.fact(fact) for fact in page.facts], "total": page.total}

    @operation(
        scope=WRITE,
        summary="Write a fact",
        body=stating.WriteFact,
        answers=answers.WrittenFact,
        status=201,
        repeatable=True,
    )
    def post(
        self, request: HttpRequest, caller: Caller, body: dict[str, Any], repeat: Repeat | None
    ) -> Mapping[str, Any] | HttpResponse:
        caller.require_write(body.get("user_id"))
        owner = {name: body.pop(name, None) for name in ("user_id", "agent_id")}
        triple = Triple(predicate_raw=body.pop("predicate"), **body)
        make = partial(memories.write_fact, caller=caller, triple=triple, **owner)
        return once(caller, repeat, [owner], presentation.written_fact, make)


class Fact(ApiView):
    @operation(
        scope=WRITE,
        summary="Correct a fact",
        body=stating.CorrectFact,
        answers=answers.WrittenFact,
    )
    def patch(
        self, request: HttpRequest, caller: Caller, fact_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.FACT, fact_id, "fact")
        return presentation.written_fact(
            memories.correct_fact(caller=caller, fact_id=wanted, parts=Parts(**body))
        )


class FactForgetting(ApiView):
    @operation(
        scope=WRITE,
        summary="Say when a fact stopped being true",
        body=stating.ForgetFact,
        answers=answers.ForgottenFact,
    )
    def post(
        self, request: HttpRequest, caller: Caller, fact_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.FACT, fact_id, "fact")
        return presentation.forgotten_fact(facts.forget_fact(caller=caller, fact_id=wanted, **body))


class FactWhy(ApiView):
    @operation(
        scope=READ,
        summary="Why a fact is believed, and why it is over",
        answers=answers.Why,
    )
    def get(self, request: HttpRequest, caller: Caller, fact_id: str) -> dict[str, Any]:
        wanted = object_id(ids.FACT, fact_id, "fact")
        look = partial(memory_selectors.explain_fact, caller=caller, fact_id=wanted)
        with one_read(caller, look):
            found = look()
            billing.record(
                caller,
                "read",
                user_id=found.chain.fact.user_id,
                target=ids.wire(ids.FACT, wanted),
                meta={"call": "why"},
                memories=[source.memory_id for source in found.sources],
                facts=[wanted, *(one.id for one in found.chain.facts if one.id != wanted)],
            )
        return reasons.why(found)
