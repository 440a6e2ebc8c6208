"""`POST /v1/agents/init`: an account that an agent makes for itself."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts import services
from korely.http.authentication import peer
from korely.http.views import operation
from korely.rest import agents, answers, requests
from memories.writers import processing_region


class AgentInit(agents.Agent):
    """Also the path of an agent that is named `init`, which can be purged like any other."""

    @operation(
        scope=None,
        public=True,
        summary="Make an account, where sign-up is open",
        body=requests.InitAgent,
        answers=answers.NewAccount,
        status=201,
    )
    def post(self, request: HttpRequest, agent_id: str, body: dict[str, Any]) -> dict[str, Any]:
        done = services.sign_up_agent(
            agent_caller=body.get("agent_caller"),
            processing_region=body.get("processing_region"),
            ip=peer(request),
        )
        return {
            "api_key": done.made.key,
            "tier": done.plan.slug,
            "region": settings.KORELY_REGION,
            "processing_region": processing_region(body.get("processing_region")),
            "scopes": list(done.made.row.scopes),
            "quotas": {
                "writes_per_month": done.plan.writes_per_month,
                "queries_per_month": done.plan.queries_per_month,
                "agents": done.plan.agents,
            },
            "terms_url": settings.KORELY_TERMS_URL,
            "privacy_url": settings.KORELY_PRIVACY_URL,
        }
