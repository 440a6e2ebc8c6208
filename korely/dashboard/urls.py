"""Routes below /dashboard/: pages of an organisation, of a project, and the way in."""

from django.urls import include, path

from korely.dashboard import entrance

of_organisation = [
    path("team/", include("korely.dashboard.team.urls")),
]

of_project = [
    path("", include("korely.dashboard.overview.urls")),
    path("playground/", include("korely.dashboard.playground.urls")),
]

urlpatterns = [
    path("", entrance.index, name="dashboard"),
    path("o/<uuid:organisation_id>/", include(of_organisation)),
    path("p/<uuid:project_id>/", include(of_project)),
    path("invitations/", entrance.invitation, name="invitation"),
    path("invitations/<str:token>/", entrance.invitation_link, name="invitation-link"),
]
