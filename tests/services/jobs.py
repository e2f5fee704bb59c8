"""Jobs for the tests of the worker itself, loaded by every worker of the tests beside the site's own tasks."""

import time

from celery import shared_task
from django.contrib.auth import get_user_model


@shared_task
def add_user(username: str, seconds: float = 0) -> None:
    """Write a user into the database, `seconds` after the job began."""
    time.sleep(seconds)
    get_user_model().objects.create(username=username)
