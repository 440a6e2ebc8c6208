"""Routes of the playground."""

from django.urls import path

from korely.dashboard.playground import outcome, views

urlpatterns = [
    path("", views.playground, name="playground"),
    path("add/", views.add, name="playground-add"),
    path("search/", views.search, name="playground-search"),
    path("context/", views.context, name="playground-context"),
    path("memories/<uuid:memory_id>/", outcome.memory, name="playground-memory"),
]
