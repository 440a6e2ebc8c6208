"""Routes below /dashboard/."""

from django.urls import path

from korely.dashboard import views

urlpatterns = [
    path("", views.index, name="dashboard"),
    path("team/", views.team, name="team"),
    path("team/leave/", views.leave, name="leave"),
    path("team/invitations/", views.invite, name="invite"),
    path("team/invitations/<uuid:invitation_id>/revoke/", views.revoke, name="revoke"),
    path("team/members/<uuid:membership_id>/role/", views.change_role, name="change-role"),
    path("team/members/<uuid:membership_id>/remove/", views.remove, name="remove"),
    path("invitations/", views.invitation, name="invitation"),
    path("invitations/<str:token>/", views.invitation_link, name="invitation-link"),
]
