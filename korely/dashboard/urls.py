"""Routes below /dashboard/: pages of an organisation, of a project, and the way in."""

from django.urls import include, path

from korely.dashboard import entrance, receipts, visiting

of_organisation = [
    path("keys/", include("korely.dashboard.keys.urls")),
    path("usage/", include("korely.dashboard.usage.urls")),
    path("requests/", include("korely.dashboard.requests.urls")),
    path("webhooks/", include("korely.dashboard.webhooks.urls")),
    path("projects/", include("korely.dashboard.projects.urls")),
    path("team/", include("korely.dashboard.team.urls")),
    path("access/", include("korely.dashboard.access.urls")),
    path("settings/", include("korely.dashboard.settings.urls")),
]

of_project = [
    path("", include("korely.dashboard.overview.urls")),
    path("explore/", include("korely.dashboard.explore.urls")),
    path("facts/", include("korely.dashboard.timeline.urls")),
    path("playground/", include("korely.dashboard.playground.urls")),
    path("audit/", include("korely.dashboard.audit.urls")),
]

urlpatterns = [
    path("", entrance.index, name="dashboard"),
    path("o/<uuid:organisation_id>/", include(of_organisation)),
    path("p/<uuid:project_id>/", include(of_project)),
    path("receipt/", receipts.receipt, name="receipt"),
    path("visit/stop/", visiting.stop, name="visit-stop"),
    path("invitations/", entrance.invitation, name="invitation"),
    path("invitations/<str:token>/", entrance.invitation_link, name="invitation-link"),
]
