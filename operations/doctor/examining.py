"""The examination of a site: all subjects, one after another.

If the examination of a subject fails, this is a finding too.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from operations.doctor import backups, database, jobs, machine, proxy, servers
from operations.doctor.findings import Level, SiteFinding, Subject


class SubjectFinding(NamedTuple):
    """A finding with the name of its subject."""

    subject: str
    finding: SiteFinding


def list_subjects(mail_to: str = "") -> dict[str, Subject]:
    """Return the functions that examine a subject, by the name of the subject. A mail is sent to `mail_to` if given."""
    return {
        "versions": machine.examine_versions,
        "settings": machine.examine_settings,
        "secrets": machine.examine_secrets,
        "permissions": machine.examine_permissions,
        "disk": machine.examine_disk,
        "time zone": machine.examine_time_zone,
        "database": database.examine_database,
        "migrations": database.examine_migrations,
        "cards": database.examine_cards,
        "redis": servers.examine_redis,
        "clock": servers.examine_clocks,
        "queues": jobs.examine_queues,
        "workers": jobs.examine_workers,
        "beat": jobs.examine_beat,
        "licences": database.examine_licences,
        "mail": partial(jobs.examine_mail, mail_to),
        "backups": backups.examine_backups,
        "https": proxy.examine_https,
    }


def examine_site(mail_to: str = "") -> Iterator[SubjectFinding]:
    """Yield the findings of all subjects."""
    for name, examine in list_subjects(mail_to).items():
        try:
            for finding in examine():
                yield SubjectFinding(name, finding)
        except Exception as failed:  # one broken subject must not hide the others
            what = f"This could not be examined ({type(failed).__name__}: {first_line_of(failed)})."
            why = "What else is wrong here stays unknown."
            remedy = "Put the other findings right first, then run the doctor again."
            yield SubjectFinding(name, SiteFinding(Level.ERROR, what, why, remedy))


def first_line_of(failed: BaseException) -> str:
    return str(failed).strip().partition("\n")[0]
