"""A tournament of two evenings of donnes libres, published, with everything that makes sums of marks uneven."""

from collections import Counter
from fractions import Fraction

from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.standings import computing
from rankings.events.counting import refresh
from rankings.events.publishing import TOURNAMENTS
from tests.factories import enter, make_director, publish
from tests.free_evenings import lay_out_games, make_free_tournament, plays_at
from tests.worlds import kept_world
from tournaments.models import Session
from tournaments.rules.entry import Fiche, GameSheet
from tournaments.versions import DirectorWord

FIRST = [[[0, 1, 2, 3], [4, 5, 6], [7, 8, 9, 10, 11]], [[0, 4, 7, 11], [1, 5, 8], [2, 3, 6, 9, 10]]]
# Player 0 misses the second evening, and player 12 comes to it alone.
SECOND = [[[1, 2, 3, 12], [4, 5, 6], [7, 8, 9, 10, 11]], [[12, 4, 7, 11], [1, 5, 8], [2, 3, 6, 9, 10]]]
SHEET = {"N": 120, "E": -40, "S": -40, "W": -40}
RULED = {"N": 40, "E": 0, "S": -40}
WEIGHTS = {3: Fraction(122, 100), 5: Fraction(137, 100)}
PENALTY = 50


def play_evening(games, tournament, by):
    """Return a session with a sheet, a ruled deal, an annulled deal, a penalty and weights, and its sums by hand.

    The sums are by the player's id.
    """
    session, sums, now = lay_out_games(games, tournament=tournament), Counter(), timezone.now()
    Session.objects.filter(pk=session.pk).update(three_weight="1.22", five_weight="1.37")
    told = {"reason": "Maldonne", "by": by, "now": now}
    ruled, annulled = plays_at(session, table=2)[0], plays_at(session, table=2)[1]

    def add(play, marks):
        for seat, mark in marks.items():
            weight = WEIGHTS.get(len(play.seat_ids), 1)
            sums[session.entrants.get(pk=play.seat_ids[seat]).player_id] += mark * weight

    for play in session.plays.select_related("etui", "table").order_by("etui__number", "table__number"):
        if (play.position, play.table.number) == (1, 1):
            continue
        seats = [*play.seat_ids]
        partner = "E" if len(seats) == 5 else None
        score = 10 * play.etui.number - 15 * play.table.number + 5 * session.number
        enter(play, Fiche("N", score, partner=partner), by=by)
        if play.pk not in (ruled.pk, annulled.pk):
            defenders = [seat for seat in seats if seat not in ("N", partner)]
            marks = dict.fromkeys(defenders, -score) | ({partner: score} if partner else {})
            add(play, marks | {"N": score * (len(defenders) - bool(partner))})
    sheet = plays_at(session)[0]
    enter(sheet, GameSheet((*SHEET.items(),)), by=by)
    add(sheet, SHEET)
    adjust_play(play_id=ruled.pk, marks=RULED, **told)
    add(ruled, RULED)
    annul_play(play_id=annulled.pk, **told)
    punished = plays_at(session, table=3)[0].west
    give_penalty(session_id=session.pk, entrant_id=punished.pk, sanction=Sanction(points=PENALTY), **told)
    sums[punished.player_id] -= PENALTY
    computing.refresh(session.pk, now=now)
    return session, sums


@kept_world
def play_two_evenings(club=None, *, is_published=True):
    """Return a tournament of two evenings, its director, and the sums of each evening by the player's id."""
    tournament = make_free_tournament(club)
    by = make_director(tournament.club)
    evenings = [play_evening(games, tournament, by) for games in (FIRST, SECOND)]
    refresh(tournament.pk, now=timezone.now())
    if is_published:
        for session, _sums in evenings:
            publish(session, by=by)
        publish_again(tournament, by)
    return tournament, by, [sums for _session, sums in evenings]


def publish_again(tournament, by, reason=""):
    return TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), reason))
