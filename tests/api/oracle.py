"""The OpenAPI document as the judge of every answer that the tests of this folder get."""

from __future__ import annotations

import copy
import json
import re
from typing import Any
from urllib.parse import urlsplit

import httpx
from jsonschema import Draft202012Validator, FormatChecker

from korely.kernel import clock
from tests.api_client import Api, Box

FORMATS = FormatChecker(formats=())
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")


@FORMATS.checks("date-time", raises=ValueError)
def _is_instant(value: object) -> bool:
    """The contract's spelling, which is narrower than RFC 3339."""
    if not isinstance(value, str):
        return True
    clock.read(value)
    return _STAMP.fullmatch(value) is not None and not value.endswith(".000000+00:00")


def _closed(components: dict[str, Any]) -> dict[str, Any]:
    """The components with their objects closed, so that an undocumented key is a fault."""
    found = copy.deepcopy(components)
    for schema in found["schemas"].values():
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return found


class Oracle:
    """Validates answers against one OpenAPI document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._components = _closed(document["components"])
        self._routes = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path)
            for path in sorted(document["paths"], key=lambda path: path.count("{"))
        ]
        self.seen: set[tuple[str, str, int]] = set()  # (method, path, status) validated so far

    def template(self, path: str) -> str | None:
        return next((found for form, found in self._routes if form.fullmatch(path)), None)

    def validate(self, schema: dict[str, Any], value: Any) -> None:
        """Raises jsonschema's ValidationError; `$ref`s resolve inside the document."""
        whole = {**schema, "components": self._components}
        Draft202012Validator(whole, format_checker=FORMATS).validate(value)

    def error_envelope(self, value: Any) -> None:
        self.validate({"$ref": "#/components/schemas/Error"}, value)

    def judge(self, response: httpx.Response) -> None:
        """An httpx hook: fail on an answer that the document does not describe."""
        response.read()
        request = response.request
        path = self.template(urlsplit(str(request.url)).path)
        if not response.content:
            assert request.method == "HEAD" or response.status_code in (204, 304), response
            return
        if response.status_code >= 400 and "json" in response.headers["content-type"]:
            self.error_envelope(response.json())
        if path is None:
            return
        documented = self.document["paths"][path].get(request.method.lower())
        if documented is None:
            assert response.status_code == 405, response.text[:300]
            return
        answer = documented["responses"].get(str(response.status_code))
        where = f"{request.method} {path} {response.status_code}"
        assert answer is not None, f"{where} is not in the document: {response.text[:300]}"
        media = response.headers["content-type"].partition(";")[0]
        schema = answer["content"][media]["schema"]
        if media == "application/json":
            self.validate(schema, response.json())
        else:
            for line in response.text.splitlines():  # no reader of lines may break one
                self.validate(schema, json.loads(line))
        self.seen.add((request.method, str(path), response.status_code))

    def watch(self, api: Api) -> Api:
        api.http.event_hooks["response"].append(self.judge)
        return api


class WatchedBox(Box):
    """A project whose keys' answers are all judged."""

    def __init__(self, boot: Api, oracle: Oracle) -> None:
        self.oracle = oracle
        super().__init__(boot)

    def key(self, *scopes: str, **fields: Any) -> Api:
        return self.oracle.watch(super().key(*scopes, **fields))
