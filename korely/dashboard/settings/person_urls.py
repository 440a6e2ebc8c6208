"""Routes of a person's own settings that allauth has none for."""

from django.urls import path

from korely.dashboard.settings import person

urlpatterns = [
    path("profile/", person.profile, name="profile"),
    path("delete/", person.delete, name="login-delete"),
]
