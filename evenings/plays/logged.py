"""The figures that are shown beside entries of a session's log: an entered score, or what the arbiter adjusted.

The log itself contains no figures, because a director who still has étuis to play may read it. This module finds the
figures for users who may see them. A log entry and the row with its figures have exactly the same time, because one
transaction wrote both.
"""

from collections.abc import Collection, Iterable, Iterator

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from clubs.models import User
from evenings.plays.desk_state import hidden_etuis
from evenings.plays.entries import entry_of
from scoring.contract import ScoringRules, find_rules
from scoring.formats import find_format
from tournaments.models import LogEntry, ResultEntry, Ruling, Session
from tournaments.models.plays import seat_people
from tournaments.rules.entry import base_score
from tournaments.words.messages import show_signed
from tournaments.words.rulings import say_adjusted

OF_RESULTS = ("entered", "corrected", "contested")
ADJUSTED = "play_adjusted"
Told = tuple[object, ...]


def find_figures(session: Session, lines: Collection[LogEntry], user: User | AnonymousUser) -> dict[int, str]:
    """Return the figures of these log entries as text, by the id of the log entry.

    Étuis that are hidden from the user are left out. This takes a fixed number of queries, and none if no log entry is
    about a result or an adjusted play.
    """
    if not any(line.action in (*OF_RESULTS, ADJUSTED) for line in lines):
        return {}
    hidden = hidden_etuis(session, user)
    found = dict(figures_of_results(session, [line for line in lines if line.action in OF_RESULTS], hidden))
    return found | dict(figures_of_rulings(session, [line for line in lines if line.action == ADJUSTED], hidden))


def figures_of_results(
    session: Session, lines: Collection[LogEntry], hidden: Collection[int]
) -> Iterator[tuple[int, str]]:
    """Yield the id and the figures of each of these log entries about a result."""
    if not lines:
        return
    moments = {line.at for line in lines}
    there = ResultEntry.objects.filter(play__session=session, entered_at__in=moments).exclude(play__etui__in=hidden)
    rows = ResultEntry.objects.filter(play__in=there.values("play")).select_related("play__etui", "play__table")
    by_play: dict[int, list[ResultEntry]] = {}
    for row in rows.order_by("version"):
        by_play.setdefault(row.play_id, []).append(row)
    rules = find_rules(session.tournament.rules)
    told: dict[Told, str] = {}
    for versions in by_play.values():
        for row in versions:
            place = row.entered_at, row.version, row.play.etui.number, row.play.table.number
            told[place] = say_result(row, versions, rules)
    for line in lines:
        about = (line.at, line.params.get("version", 1), line.params["etui"], line.params["table"])
        if about in told:
            yield line.pk, told[about]


def say_result(row: ResultEntry, versions: Iterable[ResultEntry], rules: ScoringRules) -> str:
    """Return the base score of one version as text. For a correction: "+56 became +62"."""
    score = show_signed(base_score(entry_of(row), rules))
    before = [other for other in versions if other.version < row.version and not other.contested]
    if row.contested or not before:
        return score
    was = show_signed(base_score(entry_of(before[-1]), rules))
    return _("%(before)s became %(after)s") % {"before": was, "after": score}


def figures_of_rulings(
    session: Session, lines: Collection[LogEntry], hidden: Collection[int]
) -> Iterator[tuple[int, str]]:
    """Yield the id and the figures of each of these log entries about an adjusted play."""
    if not lines:
        return
    moments = {line.at for line in lines}
    rulings = Ruling.objects.filter(play__session=session, kind=Ruling.RulingKind.ADJUSTED, ruled_at__in=moments)
    rulings = rulings.exclude(play__etui__in=hidden).select_related("play__etui", "play__table")
    seat_people(ruling.play for ruling in rulings)
    told: dict[Told, str] = {}
    for ruling in rulings:
        names = {line: entrant.name for line, entrant in ruling.play.seats.items()}
        place = ruling.ruled_at, ruling.play.etui.number, ruling.play.table.number
        told[place] = " · ".join(say_adjusted(ruling, names, find_format(session.tournament.format)))
    for line in lines:
        about = line.at, line.params["etui"], line.params["table"]
        if about in told:
            yield line.pk, told[about]
