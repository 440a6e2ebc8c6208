"""`/admin/projects` and below, for keys with the `admin` scope."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from accounts import selectors, services
from korely.http.views import ApiView, operation
from korely.kernel import ids
from korely.kernel.caller import ADMIN, Caller
from korely.rest import answers, presentation, requests
from korely.rest.segments import object_id
from memories import services as memories


class Projects(ApiView):
    @operation(
        scope=ADMIN,
        summary="The account's projects",
        query=requests.ListProjects,
        answers=answers.Projects,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        rows = selectors.list_projects(organisation_id=caller.organisation_id, **query)
        return {"projects": [presentation.project(row) for row in rows]}

    @operation(
        scope=ADMIN,
        summary="Create a project",
        body=requests.CreateProject,
        answers=answers.Project,
        status=201,
    )
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        return presentation.project(services.create_project(caller=caller, **body))


class Project(ApiView):
    @operation(
        scope=ADMIN,
        summary="Rename or describe a project",
        body=requests.UpdateProject,
        answers=answers.Project,
    )
    def patch(
        self, request: HttpRequest, caller: Caller, project_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.PROJECT, project_id, "project")
        row = services.update_project(caller=caller, project_id=wanted, **body)
        return presentation.project(row)

    @operation(
        scope=ADMIN,
        summary="Delete a project",
        query=requests.DeleteProject,
        answers=answers.DeletedProject,
    )
    def delete(
        self, request: HttpRequest, caller: Caller, project_id: str, query: dict[str, Any]
    ) -> dict[str, Any]:
        done = memories.delete_project(
            caller=caller,
            project_id=object_id(ids.PROJECT, project_id, "project"),
            erase=query["erase"],
        )
        return {
            "id": ids.wire(ids.PROJECT, done.project_id),
            "deleted": True,
            "keys_moved": done.keys_moved,
            "memories_moved": done.moved["memories"],
            "facts_moved": done.moved["facts"],
            "memories_deleted": done.deleted["memories"],
            "facts_deleted": done.deleted["facts"],
            "audit_id": done.audit_id,
        }


class ProjectArchive(ApiView):
    @operation(
        scope=ADMIN,
        summary="Put a project away",
        body=requests.NoFields,
        answers=answers.Project,
    )
    def post(
        self, request: HttpRequest, caller: Caller, project_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.PROJECT, project_id, "project")
        row = services.archive_project(caller=caller, project_id=wanted)
        return presentation.project(row)


class ProjectUnarchive(ApiView):
    @operation(
        scope=ADMIN,
        summary="Take a project back into use",
        body=requests.NoFields,
        answers=answers.Project,
    )
    def post(
        self, request: HttpRequest, caller: Caller, project_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.PROJECT, project_id, "project")
        row = services.unarchive_project(caller=caller, project_id=wanted)
        return presentation.project(row)
