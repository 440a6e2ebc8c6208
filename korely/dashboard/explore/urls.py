"""Routes below a project's explore/."""

from django.urls import path

from korely.dashboard.explore import acts, erasing, memories, memory, names, users

urlpatterns = [
    path("", users.users, name="explore"),
    path("user/", memories.memories, name="explore-user"),
    path("agents/", users.agents, name="explore-agents"),
    path("agents/purge/", erasing.purge, name="explore-purge"),
    path("search/", memories.search, name="explore-search"),
    path("names/", names.names, name="explore-names"),
    path("erase/", erasing.erase, name="explore-erase"),
    path("receipts/<str:audit_id>/", erasing.receipt, name="explore-receipt"),
    path("memories/", memories.memories, name="explore-memories"),
    path("memories/<str:memory_id>/", memory.memory, name="memory"),
    path("memories/<str:memory_id>/state/", memory.state, name="memory-state"),
    path("memories/<str:memory_id>/correct/", acts.correct, name="memory-correct"),
    path("memories/<str:memory_id>/forget/", acts.forget, name="memory-forget"),
    path("memories/<str:memory_id>/retry/", acts.retry, name="memory-retry"),
]
