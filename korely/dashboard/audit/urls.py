"""Routes of a project's audit log."""

from django.urls import path

from korely.dashboard.audit import exporting, views

urlpatterns = [
    path("", views.audit, name="audit"),
    path("export/", exporting.export, name="audit-export"),
    path("events/<int:micros>/<uuid:event_id>/", views.event, name="audit-event"),
]
