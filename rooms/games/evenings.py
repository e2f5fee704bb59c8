"""The trial of an étui of a published evening: a reader plays it, and reads the note among that evening's plays.

The cards are public, and nobody has to play them any more. Nothing is stored, so no ranking and no list changes.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from statistics import mode

from django.http import Http404

from bots.levels import BotLevel
from deals.domain.cards import LINES, Seat
from deals.domain.deal import loads
from evenings.plans.deal_sets import still_to_play
from rankings.events.standings_file import scoring_play
from rankings.publication.publishing import SESSIONS, read_open
from rankings.publication.report import read_seen_report
from rooms.games.trials import TrialStart
from rooms.record.tables import impose_garde
from scoring.formats import Format
from scoring.plays import ScoringPlay
from scoring.ranking import note_plays
from tournaments.models import Publication, Session
from tournaments.permissions import require_found
from tournaments.published import PublicPlace, Stamp
from tournaments.reports.session import PublishedReport, ReportedEtui
from tournaments.rules.formats import OF_TRIALS


class StillToPlayError(Exception):
    """An error: somebody has still to play the étui. `version` is that of the publication with the étui's page."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


@dataclass(frozen=True, slots=True)
class EveningTrial:
    """A trial of an étui of a published evening.

    `others`: the plays of the étui as it was dealt, with which the trial is compared. `seats`: the competitors of the
    trial. In a match, they are those of a play that is left out, so that the trial has the other half of that play.
    `version`: of the publication.
    """

    start: TrialStart
    format: Format
    others: Sequence[ScoringPlay]
    seats: tuple[Hashable, ...]
    version: int = 0

    def find_note(self, taker: str | None, score: int) -> Fraction | None:
        """Return the note of the reader's seat, in the unit of the format. None if there is no play to compare with."""
        if not self.others:
            return None
        own = ScoringPlay(self.others[0].etui, self.seats, taker, score)
        notes = note_plays([*self.others, own], self.format)[-1] or (None,) * len(LINES)
        return self.format.measure(notes[list(LINES).index(self.start.seat)])


def find_evening_trial(place: PublicPlace, number: int, of: int | None) -> EveningTrial:
    """Return the trial of étui `number` of a published session. `of`: the entrant who is the reader, or None.

    Raise Http404 unless readers see the results and the cards of the étui, and it is for four players. Raise
    StillToPlayError while somebody has still to play the étui, in any club.
    """
    stamp = SESSIONS.look_up(place)
    if stamp is None or stamp.practice or stamp.withdrawn or not (stamp.shows.cards and stamp.shows.etuis):
        raise Http404
    session = Session.objects.select_related("deal_set").get(pk=stamp.owner)
    report = read_report_of(stamp)
    etui = next((each for each in report.etuis if each.number == number and each.cards), None)
    if etui is None or report.format.name not in OF_TRIALS or not session.deal_set:
        raise Http404
    if still_to_play(session.deal_set, but=session):
        raise StillToPlayError(stamp.version)
    sections = Session.objects.select_related("tournament__club").filter(tournament=session.tournament_id)
    beside = [require_found(read_open(each)) for each in sections.filter(number__in=report.compared_with)]
    scored_plays = [
        scoring_play(each.session, number, play)
        for each in (report, *beside)
        for own in each.etuis
        if own.number == number
        for play in own.plays
    ]
    trial = make_evening_trial(report.format, etui, scored_plays, of if stamp.shows.feuilles else None)
    return replace(trial, version=stamp.version)


@lru_cache(maxsize=8)
def read_report_of(stamp: Stamp) -> PublishedReport:
    """Return the report of a publication as readers see it. It stays in the process, because each move asks for it."""
    return read_seen_report(Publication.objects.values_list("data", flat=True).get(pk=stamp.publication), stamp)


def make_evening_trial(
    format: Format, etui: ReportedEtui, plays: Sequence[ScoringPlay], of: int | None = None
) -> EveningTrial:
    """Return the trial of an étui with these plays, also those that do not count. `of`: the reader, or None."""
    dealt = [
        play._replace(fixed=())
        for play in plays
        if play.is_scored and play.compared and play.etui == (etui.number, 1, 0)
    ]
    seats: tuple[Hashable, ...] = LINES
    if format.is_mirrored and dealt:
        mine = next((play for play in dealt if play.by_seat.get(str(format.find_taker(etui.taker))) == of), dealt[0])
        dealt, seats = [play for play in dealt if play is not mine], mine.seats
    dealer, taker = Seat(etui.dealer), format.find_taker(etui.taker)
    record = impose_garde(dealer, Seat(taker)) if taker else ""
    secret = sha256(f"TDGP{etui.cards}{dealer}".encode()).digest()
    seat = choose_seat(format, etui, of)
    start = TrialStart(loads(etui.cards), dealer, record, seat, secret, BotLevel.TEN)
    return EveningTrial(start, format, dealt, seats)


def choose_seat(format: Format, etui: ReportedEtui, of: int | None) -> Seat:
    """Return the seat of a trial: the reader's own of that evening, else the taker's.

    In a match it is always the taker's, because only the attack of a team has points. In an auction, the taker is the
    seat that took most often.
    """
    takers = [play.taker for play in etui.plays if play.taker]
    taker = format.find_taker(etui.taker) or (mode(takers) if takers else etui.dealer)
    own = [seat for play in etui.plays for seat, who in play.seats.items() if who == of and not format.is_mirrored]
    return Seat(taker if taker in own or not own else own[0])
