from django.apps import AppConfig


class RestConfig(AppConfig):
    name = "korely.rest"
    label = "rest"
