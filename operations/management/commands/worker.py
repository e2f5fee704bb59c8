"""The command `manage.py worker`: it runs the jobs of some queues on a server, until it is told to end."""

from argparse import ArgumentParser
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Run the jobs of queues, until it is told to end. Every queue needs a worker."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        queues = list(settings.CELERY_TASK_QUEUES)
        parser.add_argument("--queues", nargs="+", choices=queues, default=queues, help="all of them, if none is named")
        parser.add_argument("--concurrency", type=int, default=1, help="how many jobs it runs at once (1)")

    def handle(self, *args: Any, queues: list[str], concurrency: int, **options: Any) -> None:
        words = [f"--queues={','.join(queues)}", f"--concurrency={concurrency}", f"--hostname={'-'.join(queues)}@%h"]
        current_app.worker_main(["worker", "--loglevel", "INFO", *words])
