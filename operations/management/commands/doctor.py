"""The command `manage.py doctor`: it examines the site, and says what to do."""

import json
import logging
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from operations.doctor.examining import SubjectFinding, examine_site
from operations.doctor.findings import Level

WORDS = {Level.GOOD: "ok", Level.WARNING: "WARNING", Level.ERROR: "ERROR"}


class Command(BaseCommand):
    help = (
        "Examine the site: settings, secrets, database, Redis, jobs, mail, disk, clock, proxy, backups. Say what is"
        " wrong and what to do. Exit 0 if all is well, 1 with warnings, 2 with errors."
    )
    requires_system_checks: list[str] = []  # the doctor runs these checks itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="the findings as JSON, for a program")
        parser.add_argument("--mail", metavar="ADDRESS", default="", help="send one mail there")

    def handle(self, *args: Any, json: bool, mail: str, **options: Any) -> None:
        logging.disable()  # a failure is printed as a finding, not logged
        worst = Level.GOOD
        findings = []
        try:
            for each in examine_site(mail):
                worst = max(worst, each.finding.level)
                findings.append(each)
                if not json:
                    self.print_finding(each)
        finally:
            logging.disable(logging.NOTSET)
        self.stdout.write(write_json(findings, worst) if json else summarize(findings))
        sys.exit(int(worst))

    def print_finding(self, each: SubjectFinding) -> None:
        finding = each.finding
        style = {Level.WARNING: self.style.WARNING, Level.ERROR: self.style.ERROR}.get(finding.level, str)
        self.stdout.write(f"{style(f'{WORDS[finding.level]:8}')} {each.subject}: {finding.what}")
        if finding.why:
            self.stdout.write(f"{'':9}Why: {finding.why}\n{'':9}Do:  {finding.remedy}")


def write_json(found: list[SubjectFinding], worst: Level) -> str:
    """Return the findings as JSON."""
    findings = [
        {
            "subject": each.subject,
            "level": each.finding.level.name.lower(),
            "what": each.finding.what,
            "why": each.finding.why,
            "do": each.finding.remedy,
        }
        for each in found
    ]
    return json.dumps({"level": worst.name.lower(), "findings": findings}, ensure_ascii=False, indent=1)


def summarize(found: list[SubjectFinding]) -> str:
    counts = [sum(each.finding.level == level for each in found) for level in (Level.ERROR, Level.WARNING)]
    return "All is well." if not any(counts) else f"{counts[0]} errors, {counts[1]} warnings."
