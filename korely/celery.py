"""The Celery application of the worker. Web processes import it only to send nudges."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "korely.settings")
# Celery would run Django's checks at every start, and import the whole HTTP face for them;
# `make check` runs them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("korely")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()
app.autodiscover_tasks()
