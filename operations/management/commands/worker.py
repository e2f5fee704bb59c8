"""The command `manage.py worker`: it runs the jobs of some queues on a server, until it is told to end."""

from argparse import ArgumentParser
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Run the jobs of queues, until it is told to end. Every queue needs a worker."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queues", default=",".join(settings.CELERY_TASK_QUEUES), help="separated by commas (all of them)"
        )
        parser.add_argument("--concurrency", type=int, default=1, help="how many jobs it runs at once (1)")

    def handle(self, *args: Any, queues: str, concurrency: int, **options: Any) -> None:
        names = set(settings.CELERY_TASK_QUEUES)
        if unknown := sorted(set(queues.split(",")) - names):
            raise CommandError(f"There is no queue {', '.join(unknown)}. The queues are {', '.join(sorted(names))}.")
        name = "all" if set(queues.split(",")) == names else queues.replace(",", "-")
        words = ["--queues", queues, "--concurrency", str(concurrency), "--hostname", f"{name}@%h"]
        current_app.worker_main(["worker", "--loglevel", "INFO", *words])
