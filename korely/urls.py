"""Routes. The API's have no trailing slash and never redirect: clients turn a redirected POST into
a GET. People's pages, in one place at the end, have one.
"""

from django.urls import include, path
from django.views.generic import RedirectView

from korely.dashboard import errors, operators
from korely.mcp.views import Mcp
from korely.openmem import envelope as openmem
from korely.rest import (
    account,
    admin_keys,
    admin_projects,
    admin_webhooks,
    agents,
    audit,
    batch,
    context,
    documents,
    facts,
    health,
    memories,
    names,
    ping,
    profile,
    search,
    sign_up,
    users,
)
from korely.rest.transfer import views as transfer

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("v1/openapi.json", documents.openapi),
    path("v1/docs", documents.docs),
    path("v1/ping", ping.Ping.as_view()),
    path("v1/memories", memories.Memories.as_view()),
    path("v1/memories/search", search.Search.as_view()),
    path("v1/memories/<str:memory_id>", memories.Memory.as_view()),
    path("v1/memories/<str:memory_id>/history", memories.MemoryHistory.as_view()),
    path("v1/batch", batch.Batches.as_view()),
    path("v1/batch/<str:job_id>", batch.Batch.as_view()),
    path("v1/facts", facts.Facts.as_view()),
    path("v1/facts/<str:fact_id>", facts.Fact.as_view()),
    path("v1/facts/<str:fact_id>/forget", facts.FactForgetting.as_view()),
    path("v1/facts/<str:fact_id>/why", facts.FactWhy.as_view()),
    path("v1/profile", profile.Profile.as_view()),
    path("v1/users/<str:user_id>/names", names.Names.as_view()),
    path("v1/users", users.Users.as_view()),
    path("v1/users/<str:user_id>/memories", users.UserMemories.as_view()),
    path("v1/agents", agents.Agents.as_view()),
    path("v1/agents/init", sign_up.AgentInit.as_view(), {"agent_id": "init"}),
    path("v1/agents/<str:agent_id>", agents.Agent.as_view()),
    path("v1/export", transfer.Export.as_view()),
    path("v1/import", transfer.Import.as_view()),
    path("v1/account", account.Account.as_view()),
    path("v1/context", context.Context.as_view()),
    path("v1/events", context.Events.as_view()),
    path("v1/audit", audit.Audit.as_view()),
    path("admin/projects", admin_projects.Projects.as_view()),
    path("admin/projects/<str:project_id>", admin_projects.Project.as_view()),
    path("admin/projects/<str:project_id>/archive", admin_projects.ProjectArchive.as_view()),
    path("admin/projects/<str:project_id>/unarchive", admin_projects.ProjectUnarchive.as_view()),
    path("admin/keys", admin_keys.Keys.as_view()),
    path("admin/keys/<str:key_id>/revoke", admin_keys.KeyRevocation.as_view()),
    path("admin/keys/<str:key_id>/move", admin_keys.KeyMove.as_view()),
    path("admin/keys/<str:key_id>/rotate", admin_keys.KeyRotation.as_view()),
    path("admin/webhooks", admin_webhooks.Webhooks.as_view()),
    path("admin/webhooks/<str:webhook_id>", admin_webhooks.Webhook.as_view()),
    path("admin/webhooks/<str:webhook_id>/rotate-secret", admin_webhooks.WebhookSecret.as_view()),
    path("admin/webhooks/<str:webhook_id>/test", admin_webhooks.WebhookTest.as_view()),
    path("admin/webhooks/<str:webhook_id>/deliveries", admin_webhooks.Deliveries.as_view()),
    path(
        "admin/webhooks/<str:webhook_id>/deliveries/<str:delivery_id>/redeliver",
        admin_webhooks.Redelivery.as_view(),
    ),
    path("agent/mcp", Mcp.as_view()),
    path("api/openmem/v1", openmem.no_such_path),
    path("api/openmem/v1/", include("korely.openmem.urls")),
    path("account", RedirectView.as_view(pattern_name="account_email")),
    path("account/", include("korely.dashboard.settings.person_urls")),
    path("account/", include("allauth.urls")),
    path("dashboard", RedirectView.as_view(pattern_name="dashboard")),
    path("dashboard/", include("korely.dashboard.urls")),
    path("ops", RedirectView.as_view(pattern_name="admin:index")),
    path("ops/", operators.site.urls),
]

# JSON everywhere but on people's pages.
handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler429 = errors.too_many
handler500 = errors.server_error
