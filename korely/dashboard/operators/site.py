"""The site itself: who gets in, by which door, and as whom its pages ask the database."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse

from korely.dashboard import errors
from korely.kernel.databases import OPERATORS, as_operators

View = Callable[..., HttpResponse]
OWN = (
    ("Stuck work", "work"),
    ("Failed memories", "failed"),
    ("Audit", "audit"),
    ("One memory or fact", "look"),
)


class OperatorSite(AdminSite):
    """Log-in is the people's own, so its limits and second factor hold here as well."""

    site_header = "Korely operations"
    site_title = "Korely operations"
    index_title = "Install"
    site_url = None
    index_template = "admin/operations.html"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.own: list[tuple[str, View, str]] = []
        self.health: Callable[[], dict[str, Any]] = dict

    def page(self, route: str, name: str) -> Callable[[View], View]:
        """Puts a view beside those of the models, at a route below /ops/."""

        def mark(view: View) -> View:
            self.own.append((route, view, name))
            return view

        return mark

    def get_urls(self) -> list[URLResolver | URLPattern]:
        own = [path(route, self.admin_view(view), name=name) for route, view, name in self.own]
        return [*own, *super().get_urls()]

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # type: ignore[override]
        """Everything a page shows is asked for, to its last line, as the operators' role."""

        @wraps(view)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if OPERATORS not in connections.databases:
                text = "The operators' site needs DATABASE_OPS_URL: the role korely_ops."
                return errors.page(503, "Not set up", text)
            with as_operators():
                response = view(request, *args, **kwargs)
                if isinstance(response, TemplateResponse):
                    response.render()
            return response

        return super().admin_view(shown, cacheable)

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """The pages of the install before those of its tables."""
        apps = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        own = [
            {"name": name, "object_name": route, "admin_url": reverse(f"admin:{route}"),
             "add_url": None, "view_only": True}
            for name, route in OWN
        ]  # fmt: skip
        first = f"{reverse('admin:index')}#health"
        return [{"name": "Install", "app_label": "install", "app_url": first,
                 "has_module_perms": True, "models": own}, *apps]  # fmt: skip

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """How the install is, then what there is to look at."""
        return super().index(request, {**(extra_context or {}), "health": self.health()})

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff with an authenticator app; a log-in of theirs has passed it."""
        return super().has_permission(request) and _has_second_factor(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Where whoever may not enter is sent: to log in, to set up a second factor, or nowhere."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.GET.get("next", request.get_full_path()))
        if not super().has_permission(request):
            return errors.not_found(request)
        if not _has_second_factor(request):
            messages.info(request, "Operators need a second factor: set one up to go on.")
            return redirect("mfa_activate_totp")
        return redirect("admin:index")

    def logout(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_logout")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")


def _has_second_factor(request: HttpRequest) -> bool:
    """Asked on every page again, also for the links of one, as the serving role."""
    known: bool | None = getattr(request, "_second_factor", None)
    if known is None:
        known = is_mfa_enabled(request.user, [Authenticator.Type.TOTP])
        request._second_factor = known  # type: ignore[attr-defined]
    return known


site = OperatorSite(name="admin")
