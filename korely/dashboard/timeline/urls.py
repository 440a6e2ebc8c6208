"""Routes of the pages of facts."""

from django.urls import path

from korely.dashboard.timeline import adding, correcting, forgetting, listing, one

urlpatterns = [
    path("", listing.timeline, name="timeline"),
    path("new/", adding.add, name="fact-add"),
    path("<str:fact_id>/", one.fact, name="fact"),
    path("<str:fact_id>/correct/", correcting.correct, name="fact-correct"),
    path("<str:fact_id>/forget/", forgetting.forget, name="fact-forget"),
]
