"""A tournament of 488 players in three rounds, through the database: 488, then 244, then 104 players.

Each round is an evening of donnes libres of five games of four deals. The services fill the list, seat the players,
start, publish and cut, as the pages do. The 4 180 results are written in a few queries, as `enter_all` does. Every
ranking is compared with sums that this module makes by itself.
"""

import random

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.free.settings import edit_free_deals
from evenings.plans.starting import start_session
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session
from rankings.events.publishing import TOURNAMENTS
from registration.people.cuts import CutGiven, list_sources, make_session_cut
from registration.people.seats import seat_present
from tests.factories import DATE, enter_all, make_director, publish
from tests.free_evenings import make_free_tournament
from tournaments.models import Applicant, Play, Session
from tournaments.rules.entry import Fiche
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]

ROUNDS = (488, 244, 104)
GAMES, DEALS = 5, 4


def make_round(tournament):
    session = create_session(tournament=tournament, date=DATE, positions=GAMES, etuis_per_position=DEALS)
    edit_free_deals(session_id=session.pk, now=timezone.now(), seating="fixed")
    return Session.objects.get(pk=session.pk)


def play_round(session, by, chance):
    """Start a round and enter a result for each deal. Return the marks of each player, summed by hand."""
    start_session(session_id=session.pk, by=by, now=timezone.now())
    players = dict(session.entrants.values_list("pk", "player"))
    marks, results = dict.fromkeys(players.values(), 0), {}
    for play in Play.objects.filter(session=session).order_by("pk"):
        seats = play.seat_ids
        taker, score = chance.choice(sorted(seats)), chance.randint(-300, 300)
        results[play.pk] = Fiche(taker, score)
        for seat, entrant in seats.items():
            marks[players[entrant]] += score * (len(seats) - 1) if seat == taker else -score
    tables = Play.objects.filter(session=session).values("table").distinct().count()
    assert 3 * tables <= len(players) <= 5 * tables  # equal sums at a cut let some more in, who sit by three or five
    assert (len(results), sum(marks.values())) == (tables * GAMES * DEALS, 0)
    enter_all(session, by=by, choose=lambda play: results[play.pk])
    publish(session, by=by)
    return marks


def rank_by_hand(figures):
    """Return the rank of each key of `figures`: one more than the number of higher figures."""
    order = sorted(figures.values(), reverse=True)
    first = {}
    for place, figure in enumerate(order, 1):
        first.setdefault(figure, place)
    return {player: first[figure] for player, figure in figures.items()}


def read_ranks(tournament, session, by):
    """Return the published rank of each player: in the tournament or, after its first session, in that session."""
    if session.number == 1:
        return {row["player"]: row["rank_general"] for row in session.publications.get().data["players"]}
    published = TOURNAMENTS.publish(tournament.pk, DirectorWord(by=by, now=timezone.now()))
    return {row["player"]: row["rank"] for row in published.data["players"]}


def test_rounds_of_488_244_and_104_players_equal_sums_made_by_hand():
    tournament, chance = make_free_tournament(), random.Random(488)
    by = make_director(tournament.club)
    names = [RosterLine(f"Nom{place:03}", "Zoé") for place in range(1, ROUNDS[0] + 1)]
    session = make_round(tournament)
    seat_players(session_id=session.pk, player_ids=[row.pk for row in add_players(club=tournament.club, lines=names)])
    figures, sizes, let_in = {}, [], [ROUNDS[0]]
    for level, places in enumerate((*ROUNDS[1:], None)):
        sizes.append(session.entrants.count())
        for player, marks in play_round(session, by, chance).items():
            figures[player] = (level, figures.get(player, (0, 0))[1] + marks)
        assert read_ranks(tournament, session, by) == rank_by_hand(figures)
        if places is None:
            break
        there = rank_by_hand({player: each for player, each in figures.items() if each[0] == level})
        session = make_round(tournament)
        told = {"session_id": session.pk, "by": by, "now": timezone.now()}
        make_session_cut(given=CutGiven(list_sources(session)[0].key, places, here=True), **told)
        on = set(Applicant.objects.filter(session=session).values_list("player", flat=True))
        assert on == {player for player, rank in there.items() if rank <= places}
        seat_present(answers={}, **told)
        let_in.append(len(on))
    assert sizes == let_in
    assert all(places <= size <= places + 5 for size, places in zip(sizes, ROUNDS, strict=True))  # equal sums
    assert [Session.objects.get(tournament=tournament, number=number).level for number in (1, 2, 3)] == [0, 1, 2]
