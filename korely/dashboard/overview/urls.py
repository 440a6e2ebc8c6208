"""Routes of a project's first page."""

from django.urls import path

from korely.dashboard.overview import first_use, views

urlpatterns = [
    path("", views.overview, name="overview"),
    path("first-key/", first_use.make_key, name="overview-key"),
    path("waiting/", first_use.waiting, name="overview-waiting"),
]
