"""The Celery application: it reads every CELERY_ setting of config.settings and finds the tasks of each app."""

import os
from functools import partial

from celery import Celery

import config.broker  # noqa: F401  (mends kombu's transport, of whoever asks for jobs and of workers)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


app = Celery("topage", task_cls="config.jobs:Job")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A worker listens to a broker that may say nothing for seconds; a request that asks for a job does not wait as long.
app.connection_for_write = partial(app.connection_for_write, transport_options={"socket_timeout": 1})
