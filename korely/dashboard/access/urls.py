"""Routes below o/<organisation>/access/."""

from django.urls import path

from korely.dashboard.access import views

urlpatterns = [path("", views.access, name="access")]
