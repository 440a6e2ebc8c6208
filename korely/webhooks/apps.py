from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "korely.webhooks"
    label = "webhooks"
