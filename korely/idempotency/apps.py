from django.apps import AppConfig


class IdempotencyConfig(AppConfig):
    name = "korely.idempotency"
    label = "idempotency"
