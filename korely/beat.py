"""The Celery application of beat: the schedule alone.

Beat sends tasks by name. Without their modules, and the model's runtime below them, it starts
sooner and takes half the memory; `-A korely.celery beat` does the same at that price.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "korely.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("korely")
app.config_from_object("django.conf:settings", namespace="CELERY")
