"""The site itself: who gets in, and by which door."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from korely.dashboard import errors


class OperatorSite(AdminSite):
    """Log-in is the people's own, so its limits and second factor hold here as well."""

    site_header = "Korely operations"
    site_title = "Korely operations"
    index_title = "Install"
    site_url = None

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
    return is_mfa_enabled(request.user, [Authenticator.Type.TOTP])


site = OperatorSite(name="admin")
