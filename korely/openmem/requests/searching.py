"""What a question is asked with: of memory, or of a language model."""

from __future__ import annotations

from typing import Any

from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.filters import read_filter
from korely.openmem.requests.metadata import APP_LENGTH, read_app_id
from korely.openmem.requests.views import read_views
from korely.openmem.sent import Sent
from memories.services.chatting import Talk
from memories.services.conversing import Place
from memories.services.recollecting import Asked

QUERY_LENGTH = 16_000  # characters: 4,000 tokens
MOST_ITEMS = 25  # of each list of a search
MOST_ANSWERED = 8_192  # tokens of a chat's answer: what the official client asks for by default


def search_memory(sent: Sent) -> dict[str, Any]:
    user_id = sent.user_id()
    query = sent.text("query", most=QUERY_LENGTH, too_long=codes.TOKENS, required=True)
    conversation_id = sent.conversation_id()
    agent_id = sent.agent_id()
    narrowing = read_filter(sent.get("filter"))
    bases = sent.words("knowledgebase_ids") or []
    memories = sent.integer("memory_limit_number", least=0, most=MOST_ITEMS, default=6)
    preferences = sent.integer("preference_limit_number", least=0, most=MOST_ITEMS, default=6)
    tools = sent.integer("tool_memory_limit_number", least=0, most=MOST_ITEMS, default=6)
    views = read_views(sent, tools=False)
    return {
        "bases": bases,
        "asked": Asked(
            user_id=user_id,
            query=str(query),
            conversation_id=conversation_id,
            agent_id=agent_id,
            narrowing=narrowing,
            floor=sent.number("relativity", least=0, most=1, code=codes.RELATIVITY) or 0.0,
            memories=memories if "detail_factual" in views else 0,
            preferences=preferences if "preference" in views else 0,
            tools=tools if "tool_memory" in views else 0,
        ),
    }


def chat(sent: Sent) -> dict[str, Any]:
    found = search_memory(sent)
    asked: Asked = found["asked"]
    if asked.conversation_id is None:
        raise fault(codes.MISSING, "conversation_id is required and must not be empty")
    sent.text("model_name", most=APP_LENGTH, too_long=codes.WRONG)
    prompt = sent.text("system_prompt", most=QUERY_LENGTH, too_long=codes.TOKENS)
    app_id = read_app_id(sent)
    place = Place(
        user_id=asked.user_id,
        conversation_id=asked.conversation_id,
        agent_id=asked.agent_id,
        metadata={} if app_id is None else {"app_id": app_id},
    )
    options = {
        "max_tokens": sent.integer("max_tokens", least=1, most=MOST_ANSWERED, default=0),
        "temperature": sent.number("temperature", least=0, most=2),
        "top_p": sent.number("top_p", least=0, most=1),
    }
    keeps = sent.boolean("add_message_on_answer", True)
    return {
        "talk": Talk(
            asked,
            place if keeps else None,
            prompt,
            {name: value for name, value in options.items() if value is not None and name in sent},
        ),
        "bases": found["bases"],
        "stream": sent.boolean("stream", False),
    }
