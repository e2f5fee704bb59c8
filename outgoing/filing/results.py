"""The job for the results of a club on another site: it reads an uploaded archive, and lets its session count."""

import datetime as dt
from typing import Any

from archives.archive.errors import ArchiveError
from archives.elsewhere.results import DoubtfulResults, ReceivedArchive, receive_results
from outgoing.filing.archives import ZIP, read_answers
from outgoing.filing.rows import AskedWork, FileMakers, MadeFile
from tournaments.models import ClubFile, Simultaneous

RECEIVE, DOUBTFUL, RECEIVED = "results_receive", "results_doubtful", "results_received"


def want_results(simultaneous: Simultaneous, club: str) -> AskedWork:
    """Return the task to let an uploaded archive count as the results of this club on another site."""
    return AskedWork(RECEIVE, {"simultaneous": simultaneous.pk, "slug": simultaneous.slug, "club": club})


def want_results_again(row: ClubFile, answers: dict[str, int | None]) -> AskedWork:
    """Return the task to receive the same archive with the director's answers about doubtful players."""
    return AskedWork(RECEIVE, {**row.details, "answers": answers})


def receive_uploaded_results(row: ClubFile, now: dt.datetime) -> MadeFile:
    """Let the uploaded archive count, with the director's answers about players with namesakes.

    If there are questions about players, the file is kept, and all questions are asked again after each refusal.
    """
    content = bytes(row.content or b"")
    archive = ReceivedArchive(row.details["club"], content, read_answers(row.details))
    try:
        receive_results(simultaneous_id=row.details["simultaneous"], archive=archive, by=row.account, now=now)
    except ArchiveError as refusal:
        doubts: list[dict[str, Any]] = row.outcome.get("doubts", [])
        if isinstance(refusal, DoubtfulResults):
            asked = {each["row"] for each in doubts}
            doubts = doubts + [each.described for each in refusal.doubts if each.row not in asked]
        if not doubts:
            raise
        return MadeFile(content, ZIP, "", {"doubts": doubts}, DOUBTFUL, refusal)
    return MadeFile(work=RECEIVED)


RESULT_MAKERS: FileMakers = {RECEIVE: receive_uploaded_results}
