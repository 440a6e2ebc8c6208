"""The Celery application of worker and beat. Web processes import it only to send nudges."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "korely.settings")

app = Celery("korely")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()
app.autodiscover_tasks()
