"""Routes of an organisation's log of requests."""

from django.urls import path

from korely.dashboard.requests import views

urlpatterns = [
    path("", views.requests, name="requests"),
    path("<uuid:entry_id>/", views.one, name="request"),
]
