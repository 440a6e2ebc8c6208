"""The dialect's calls. No trailing slash, no redirect; whatever else is asked below the base is a
404 in the dialect's envelope.
"""

from django.urls import path, re_path

from korely.openmem import (
    adding,
    chatting,
    correcting,
    deleting,
    envelope,
    getting,
    getting_messages,
    searching,
    statuses,
)
from korely.openmem.knowledge import bases, files

urlpatterns = [
    path("add/message", adding.AddMessage.as_view()),
    path("add/feedback", correcting.AddFeedback.as_view()),
    path("chat", chatting.Chat.as_view()),
    path("create/knowledgebase", bases.CreateKnowledgebase.as_view()),
    path("delete/knowledgebase", bases.DeleteKnowledgebase.as_view()),
    path("add/knowledgebase-file", files.AddKnowledgebaseFile.as_view()),
    path("get/knowledgebase-file", files.GetKnowledgebaseFile.as_view()),
    path("delete/knowledgebase-file", files.DeleteKnowledgebaseFile.as_view()),
    path("search/memory", searching.SearchMemory.as_view()),
    path("get/memory", getting.GetMemory.as_view()),
    path("delete/memory", deleting.DeleteMemory.as_view()),
    path("get/status", statuses.GetStatus.as_view()),
    path("get/message", getting_messages.GetMessage.as_view()),
    re_path(r"^[\s\S]*$", envelope.no_such_path),
]
