from django.apps import AppConfig


class WorkConfig(AppConfig):
    name = "korely.work"
    label = "work"
