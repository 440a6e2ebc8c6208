"""The OpenAPI document and its page. No key, no limit, no CDN."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator

from korely.http.errors import answer
from korely.http.public import public

# Everything from here; Swagger UI sets style attributes and shows its icons as data URLs.
_PAGE_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@public
def openapi(request: HttpRequest) -> HttpResponse:
    return answer(document())


@public
def docs(request: HttpRequest) -> HttpResponse:
    response = render(request, "docs.html")
    response["Content-Security-Policy"] = _PAGE_POLICY
    return response
