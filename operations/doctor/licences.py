"""The doctor's examination of the federation's lists that clubs keep (the subject `licences`)."""

from collections.abc import Iterator

from django.conf import settings
from django.utils import timezone

from clubs.licences.storing import KEPT_MONTHS, find_old_lists
from clubs.models import LicenceList
from operations.doctor.database import brief_connection
from operations.doctor.findings import SiteFinding, tell_good, tell_warning


def examine_licences() -> Iterator[SiteFinding]:
    """Yield whether lists are kept beyond their time, and whether their holders can be searched."""
    with brief_connection() as database:
        database.ensure_connection()  # this connection gives up after a few seconds without an answer
        kept, old = LicenceList.objects.count(), find_old_lists(timezone.now()).count()
    if old:
        why = f"They name people who may never have come, and end {KEPT_MONTHS} months after they were read."
        remedy = f"Run `{settings.COMMAND} forget`, and look at the findings about jobs: this is done every day."
        yield tell_warning(f"{old} lists of the federation are past their time.", why, remedy)
    else:
        how = "can search them" if settings.LICENCE_SEARCH else "cannot search them (LICENCE_SEARCH=no)"
        yield tell_good(f"{kept} clubs keep the federation's list; their directors {how}.")
