"""The Celery application: it reads every CELERY_ setting of config.settings and finds the tasks of each app."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("topage")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
