"""Routes of the team's page."""

from django.urls import path

from korely.dashboard.team import views

urlpatterns = [
    path("", views.team, name="team"),
    path("leave/", views.leave, name="leave"),
    path("invitations/", views.invite, name="invite"),
    path("invitations/<uuid:invitation_id>/revoke/", views.revoke, name="revoke"),
    path("members/<uuid:membership_id>/role/", views.change_role, name="change-role"),
    path("members/<uuid:membership_id>/remove/", views.remove, name="remove"),
]
