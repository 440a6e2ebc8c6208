"""The routes that need no key: read-only, refusing like all others."""

from __future__ import annotations

import pytest

from tests.api_client import Api, refused

PATHS = ["/healthz", "/readyz", "/metrics", "/v1/openapi.json", "/v1/docs"]


@pytest.mark.parametrize("path", PATHS)
def test_a_public_route_reads_and_does_nothing_else(boot: Api, path: str) -> None:
    nobody = Api(boot.base_url, None)
    assert nobody.get(path).status_code == 200
    head = nobody.request("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    for method in ("POST", "PUT", "DELETE"):
        response = nobody.request(method, path)
        refused(response, 405, "method_not_allowed", method)
        assert response.headers["allow"] == "GET, HEAD, OPTIONS"
    options = nobody.request("OPTIONS", path)
    assert (options.status_code, options.content) == (204, b"")
