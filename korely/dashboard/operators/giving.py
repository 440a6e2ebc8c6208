"""More of a month for an account, and the end of a key: what operators do for accounts."""

from __future__ import annotations

import uuid
from datetime import date

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.models import ApiKey, Organisation
from accounts.models.keys import REASON_LENGTH
from accounts.services.operators import revoke_key_for_account
from accounts.services.plans import add_top_up
from billing.models import TopUp
from billing.services.quotas import month_of
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.pages import show
from korely.dashboard.operators.site import site
from korely.dashboard.service_form import ServiceForm
from korely.kernel.clock import now
from korely.kernel.databases import as_application
from korely.kernel.errors import Refusal

MOST = 1_000_000_000


class TopUpForm(forms.Form):
    writes = forms.IntegerField(min_value=0, max_value=MOST, initial=0)
    queries = forms.IntegerField(min_value=0, max_value=MOST, initial=0)
    month = forms.DateField(
        input_formats=["%Y-%m"],
        widget=forms.DateInput(format="%Y-%m", attrs={"type": "month"}),
        help_text="A calendar month, UTC.",
    )
    note = forms.CharField(max_length=200, required=False)

    def clean_month(self) -> date:
        month: date = self.cleaned_data["month"]
        if month < month_of(now()):
            raise forms.ValidationError("That month is over.")
        return month


@site.page("accounts/organisation/<uuid:organisation_id>/top-up/", "top_up")
@require_http_methods(["GET", "HEAD", "POST"])
def top_up(request: HttpRequest, organisation_id: uuid.UUID) -> HttpResponse:
    """Adds writes and queries to one month of an account."""
    row = Organisation.objects.filter(pk=organisation_id).first()
    if row is None:
        raise Http404
    form = TopUpForm(request.POST or None, initial={"month": month_of(now())})
    if request.method == "POST" and form.is_valid():
        try:
            with as_application():
                add_top_up(
                    organisation_id=organisation_id, **form.cleaned_data, **operator_of(request)
                )
        except ValueError as error:
            form.add_error("writes", str(error).capitalize())
        else:
            messages.success(request, "It is added, from the next request on.")
            return redirect("admin:top_up", organisation_id)
    earlier = list(TopUp.objects.filter(organisation=row).order_by("-month", "-id")[:20])
    return show(
        request,
        "top_up.html",
        f"Add to a month of {row.name}",
        status=422 if form.errors else 200,
        form=form,
        row=row,
        earlier=earlier,
    )


class RevokeForm(ServiceForm):
    reason = forms.CharField(max_length=REASON_LENGTH, help_text="The account's people read it.")


@site.page("accounts/apikey/<uuid:key_id>/revoke/", "revoke_key")
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, key_id: uuid.UUID) -> HttpResponse:
    """Revokes a key; it is refused from its next request on."""
    seen = ("id", "name", "prefix", "last_four", "revoked_at", "expires_at", "organisation__name")
    rows = ApiKey.objects.filter(pk=key_id).select_related("organisation").only(*seen)
    row = rows.first()
    if row is None:
        raise Http404
    form = RevokeForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                with as_application():
                    reason = form.cleaned_data["reason"]
                    revoke_key_for_account(key_id=key_id, reason=reason, **operator_of(request))
            except Refusal as refusal:
                status = refusal.status
                form.refuse(refusal, "reason")
            else:
                messages.success(request, "The key is revoked.")
                return redirect("admin:accounts_apikey_change", key_id)
    return show(request, "revoke.html", f"Revoke {row.masked}", status=status, form=form, row=row)
