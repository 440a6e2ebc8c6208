"""A question answered by a language model that is told what is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from billing import services as billing
from facts.extraction.writer import WriterEngine, WriterUnavailable
from korely.kernel import errors
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope
from memories.conversation import Said
from memories.conversation.prompt import system_prompt
from memories.models import Message
from memories.selectors.messages import as_said, newest_messages
from memories.selectors.preferences import sentence
from memories.services.conversing import Place, add_messages
from memories.services.recollecting import Asked, Recollection, look_up
from memories.writers import require_model

log = structlog.get_logger(__name__)

_PAST = 10  # messages of the conversation that the model is told


@dataclass(frozen=True, slots=True)
class Talk:
    """How a question is to be answered; `place`: where question and answer are kept, None: not.

    `options` are the model's: `max_tokens`, `temperature`, `top_p`, those that were given.
    """

    asked: Asked
    place: Place | None
    prompt: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def chat(*, caller: Caller, talk: Talk) -> str:
    """The model's answer. Costs one query, and one write where it is kept.

    Raises:
        Refusal: 503 `no_language_model` when none is configured or it does not answer; whatever
            `recollect` and `add_messages` raise. Then nothing was counted or kept.
    """
    asked = talk.asked
    caller.require_read(asked.user_id)
    model = require_model(project_id=caller.project_id)
    with billing.spending(caller, "queries"):
        found = look_up(caller=caller, asked=asked, call="chat")
        answer = _reply(model, _turns(talk, found, _past(caller, asked)), talk.options)
        if talk.place is not None:
            said = [Said("user", asked.query), Said("assistant", answer)]
            add_messages(caller=caller, place=talk.place, messages=said)
    return answer


def _reply(model: WriterEngine, turns: Sequence[dict[str, str]], options: Mapping[str, Any]) -> str:
    try:
        return model.reply(turns, options)
    except WriterUnavailable as error:
        log.warning("chat.failed", writer=model.endpoint.name, reason=error.reason)
        raise errors.no_language_model("The language model did not answer") from None


def _past(caller: Caller, asked: Asked) -> list[Message]:
    if asked.conversation_id is None:
        return []
    with project_scope(caller.project_id):
        return newest_messages(
            caller=caller,
            user_id=asked.user_id,
            conversation_id=asked.conversation_id,
            limit=_PAST,
        )


def _turns(talk: Talk, found: Recollection, past: Sequence[Message]) -> list[dict[str, str]]:
    memories = [one.text for one in found.memories]
    preferences = [sentence(one) for one in found.preferences]
    turns = [{"role": "system", "content": system_prompt(talk.prompt, memories, preferences)}]
    for message in past:
        text = as_said(message).text
        if message.role in ("user", "assistant") and text:
            turns.append({"role": message.role, "content": text})
    return [*turns, {"role": "user", "content": talk.asked.query}]
