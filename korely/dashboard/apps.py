from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "korely.dashboard"
    label = "dashboard"
