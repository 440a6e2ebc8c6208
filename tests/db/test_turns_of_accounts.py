"""An account whose turns at the model are all taken, and another one beside it."""

from __future__ import annotations

import uuid

import pytest

from korely.embedded.stack import Stack
from korely.embedding import Turns


def test_a_search_that_waits_in_vain_is_unavailable_and_other_accounts_search_on(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    from korely.kernel.caller import Caller
    from korely.kernel.errors import Refusal
    from memories import selectors, vectors

    busy, idle = (Caller(organisation_id=uuid.uuid4(), project_id=uuid.uuid4()) for _ in "ab")
    turns = Turns(1, seconds=0.1)
    monkeypatch.setattr(vectors, "_turns", turns)
    with turns.take(busy.organisation_id):
        with pytest.raises(Refusal) as refused:
            vectors.embed_for_search(busy, "where do I live")
        assert (refused.value.status, refused.value.code) == (503, "search_unavailable")
        assert refused.value.headers["Retry-After"] == "5"
        with pytest.raises(Refusal) as refused:
            vectors.embed_for_write(busy, "I live in Rome.")
        assert (refused.value.status, refused.value.code) == (503, "model_unavailable")
        assert selectors.embed_question(busy, "where do I live") is None
        assert len(vectors.embed_for_search(idle, "where do I live").values) > 100
    assert len(vectors.embed_for_search(busy, "where do I live").values) > 100
