"""Routes of the projects' pages."""

from django.urls import path

from korely.dashboard.projects import deleting, views

urlpatterns = [
    path("", views.projects, name="projects"),
    path("new/", views.create, name="project-create"),
    path("<uuid:project_id>/edit/", views.edit, name="project-edit"),
    path("<uuid:project_id>/archive/", views.archive, name="project-archive"),
    path("<uuid:project_id>/delete/", deleting.delete, name="project-delete"),
]
