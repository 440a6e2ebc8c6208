"""The OpenAPI document and its page. No key, no limit, no CDN."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator

from korely.http.errors import answer


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def openapi(request: HttpRequest) -> HttpResponse:
    return answer(document())


def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "docs.html")
