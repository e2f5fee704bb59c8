"""What lines of a session's log came to, in figures: the result that was entered, what the arbiter fixed.

The log itself names no figure, for a director who plays may read it: these are looked up for whoever may see them. A
line and the row that it tells of were written at one moment, by one transaction.
"""

from collections.abc import Collection, Iterable, Iterator

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.contract import ScoringRules, find_rules
from tournaments.models import LogEntry, ResultEntry, Ruling, Session
from tournaments.models.evening import SEAT_FIELDS
from tournaments.plays.desk_state import hidden_etuis
from tournaments.plays.entries import entry_of
from tournaments.rules.entry import base_score
from tournaments.words.messages import sign
from tournaments.words.rulings import say_adjusted

OF_RESULTS = ("entered", "corrected", "contested")
ADJUSTED = "play_adjusted"
Told = tuple[object, ...]


def find_figures(session: Session, lines: Collection[LogEntry], user: User | AnonymousUser) -> dict[int, str]:
    """Return what the lines' figures are, by the ids of the lines; nothing of étuis that are hidden from the user.

    A fixed number of queries, none where no line is about a result or an adjusted play.
    """
    if not any(line.action in (*OF_RESULTS, ADJUSTED) for line in lines):
        return {}
    hidden = hidden_etuis(session, user)
    found = dict(figures_of_results(session, [line for line in lines if line.action in OF_RESULTS], hidden))
    return found | dict(figures_of_rulings(session, [line for line in lines if line.action == ADJUSTED], hidden))


def figures_of_results(
    session: Session, lines: Collection[LogEntry], hidden: Collection[int]
) -> Iterator[tuple[int, str]]:
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
    """The score of one version; of a correction what it was before, too."""
    score = sign(base_score(entry_of(row), rules))
    before = [other for other in versions if other.version < row.version and not other.contested]
    if row.contested or not before:
        return score
    was = sign(base_score(entry_of(before[-1]), rules))
    return _("%(before)s became %(after)s") % {"before": was, "after": score}


def figures_of_rulings(
    session: Session, lines: Collection[LogEntry], hidden: Collection[int]
) -> Iterator[tuple[int, str]]:
    if not lines:
        return
    moments = {line.at for line in lines}
    rulings = Ruling.objects.filter(play__session=session, kind=Ruling.Kind.ADJUSTED, ruled_at__in=moments)
    seats = [f"play__{seat}__{who}" for seat in SEAT_FIELDS for who in ("player", "stand_in")]
    rulings = rulings.exclude(play__etui__in=hidden).select_related("play__etui", "play__table", *seats)
    told: dict[Told, str] = {}
    for ruling in rulings:
        names = {line: entrant.name for line, entrant in ruling.play.seats.items()}
        place = ruling.ruled_at, ruling.play.etui.number, ruling.play.table.number
        told[place] = " · ".join(say_adjusted(ruling, names))
    for line in lines:
        about = line.at, line.params["etui"], line.params["table"]
        if about in told:
            yield line.pk, told[about]
