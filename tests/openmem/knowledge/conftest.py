"""Bases of a project of their own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import wait_for
from tests.openmem.client import Mos
from tests.openmem.knowledge.documents import base64_of


class Base:
    """A knowledge base and its calls."""

    def __init__(self, mos: Mos, name: str = "Manuals") -> None:
        self.mos = mos
        self.id: str = mos.data("/create/knowledgebase", knowledgebase_name=name)["id"]

    def send(self, *entries: dict[str, Any]) -> Any:
        body = {"knowledgebase_id": self.id, "file": list(entries)}
        return self.mos.post("/add/knowledgebase-file", **body)

    def add(self, **documents: bytes | str) -> list[dict[str, Any]]:
        """Documents by name, added and read."""
        entries = [{"name": name, "content": base64_of(one)} for name, one in documents.items()]
        assert self.send(*entries).status_code == 200
        return self.settled()

    def files(self, **fields: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.mos.data(
            "/get/knowledgebase-file", knowledgebase_id=self.id, **fields
        )
        return found

    def settled(self) -> list[dict[str, Any]]:
        """The files once none of them runs any more."""

        def look() -> list[dict[str, Any]] | None:
            found: list[dict[str, Any]] = self.files(page_size=100)["file_detail_list"]
            return found if all(one["status"] != "running" for one in found) else None

        return wait_for("the files", look)

    def found(self, query: str, **fields: Any) -> list[dict[str, Any]]:
        """What a search of this base alone finds for an end user who said nothing."""
        body = {"knowledgebase_ids": [self.id], **fields}
        items: list[dict[str, Any]] = self.mos.search("nobody", query, **body)["memory_detail_list"]
        return items


@pytest.fixture(scope="module")
def shared(mos: Mos) -> Base:
    """A base for tests that add nothing to it."""
    return Base(mos)


@pytest.fixture
def base(fresh_mos: Mos) -> Base:
    return Base(fresh_mos)
