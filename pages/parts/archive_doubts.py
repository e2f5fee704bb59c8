"""The questions about players of an archive who may be players of the club's list, and their answers in a form."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404

NEW = "new"


def list_archive_doubts(doubts: Iterable[Mapping[str, Any]], answers: Mapping[str, int | None]) -> list[dict[str, Any]]:
    """Return the doubts for the template, each with the answer that was already given."""
    return [{**each, "chosen": choose_answer(each, answers)} for each in doubts]


def choose_answer(doubt: Mapping[str, Any], answers: Mapping[str, int | None]) -> str:
    """Return the value of the answer that was given about a doubtful player, or ""."""
    if str(doubt["row"]) not in answers:
        return ""
    chosen = answers[str(doubt["row"])]
    return NEW if chosen is None else str(chosen)


def read_archive_answers(posted: Mapping[str, str]) -> dict[str, int | None]:
    """Return the answers of the form by the row in the archive.

    A field has a name like `row-7`, and the value `new` or a number. Raise `Http404` for a field that the page does not
    have.
    """
    answers: dict[str, int | None] = {}
    for name, value in posted.items():
        if not name.startswith("row-"):
            continue
        row = name.removeprefix("row-")
        if not (row.isascii() and row.isdigit() and (value == NEW or (value.isascii() and value.isdigit()))):
            raise Http404
        answers[row] = None if value == NEW else int(value[:15])
    return answers
