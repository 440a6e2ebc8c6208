"""Routes of an organisation's usage."""

from django.urls import path

from korely.dashboard.usage import exporting, plans, views

urlpatterns = [
    path("", views.usage, name="usage"),
    path("export.csv", exporting.export, name="usage-export"),
    path("limits/", views.limits, name="usage-limits"),
    path("plan/", plans.plan, name="usage-plan"),
    path("plan/<uuid:request_id>/withdraw/", plans.withdraw, name="usage-plan-withdraw"),
]
