"""Routes of the webhooks' pages."""

from django.urls import path

from korely.dashboard.webhooks import deliveries, editing, views

urlpatterns = [
    path("", views.webhooks, name="webhooks"),
    path("new/", editing.create, name="webhook-create"),
    path("<uuid:webhook_id>/", views.webhook, name="webhook"),
    path("<uuid:webhook_id>/edit/", editing.edit, name="webhook-edit"),
    path("<uuid:webhook_id>/turn/", editing.turn, name="webhook-turn"),
    path("<uuid:webhook_id>/secret/", editing.rotate, name="webhook-rotate"),
    path("<uuid:webhook_id>/delete/", editing.delete, name="webhook-delete"),
    path("<uuid:webhook_id>/test/", deliveries.test, name="webhook-test"),
    path("<uuid:webhook_id>/redeliver/", deliveries.redeliver_dead, name="webhook-redeliver"),
    path(
        "<uuid:webhook_id>/deliveries/<uuid:delivery_id>/",
        deliveries.delivery,
        name="webhook-delivery",
    ),
    path(
        "<uuid:webhook_id>/deliveries/<uuid:delivery_id>/state/",
        deliveries.state,
        name="webhook-delivery-state",
    ),
    path(
        "<uuid:webhook_id>/deliveries/<uuid:delivery_id>/redeliver/",
        deliveries.redeliver,
        name="webhook-delivery-redeliver",
    ),
]
