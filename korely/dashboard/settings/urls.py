"""Routes of an organisation's settings."""

from django.urls import path

from korely.dashboard.settings import organisation

urlpatterns = [
    path("", organisation.settings, name="settings"),
    path("delete/", organisation.delete, name="organisation-delete"),
]
