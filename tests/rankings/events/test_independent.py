"""A tournament of 40 players with every ruling of an arbiter, compared with an independent computation."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.plans.starting import start_session
from evenings.plays import entering, ruling
from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
from evenings.standings import computing as of_session
from rankings.events import counting
from registration.people.merging import merge_players
from scoring.contract import Contract, DealResult
from scoring.ranking import Line
from tests.factories import DATE, enter, enter_all, make_director, make_tournament
from tests.rankings.events import independent
from tournaments.models import Entrant, Play, SectionGroup, Session, SessionStandings, Tournament, TournamentStandings
from tournaments.rules.entry import AllPassed, Facts, Fiche
from tournaments.rules.operations import Substitute

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("statistics")]
WHY = "décision de l’arbitre"


@pytest.fixture(scope="module", params=["imposed", "free"])
def event(request, rows_of_the_file):
    """Play a tournament of three rounds.

    The rounds: 10 tables; 9 tables, since four players are missing; two sections of 5 tables on the same étuis.
    """
    tournament = make_tournament(auction=request.param)
    director = make_director(tournament.club, f"directrice-{request.param}")
    said = {"by": director, "now": timezone.now()}
    people = [
        player.pk
        for player in add_players(
            club=tournament.club, lines=[RosterLine(f"Nom{number:02}", "Ève") for number in range(41)]
        )
    ]
    twin, people = people[40], people[:40]
    one = begin(tournament, people, etuis=10, said=said)
    # In the second session one player is entered as another person of the list. The two are merged later.
    two = begin(
        tournament, [twin if pk == people[3] else pk for pk in people[:36]], etuis=9, said=said, coefficient="1.5"
    )
    group = SectionGroup.objects.create(tournament=tournament, one_topage=True)
    three = begin(tournament, people[:20], etuis=5, said=said, coefficient="2", section="A", group=group)
    four = begin(
        tournament, people[20:], etuis=5, said=said, coefficient="2", section="B", group=group, deal_set=three.deal_set
    )
    sessions = [one, two, three, four]
    replace(one, director, position=5, own=True)  # the substitute has too few deals to be ranked
    replace(one, director, position=2, own=True, seat=("E", 4))
    replace(two, director, position=3, own=False)
    for session in sessions:
        play_out(session, said)
    for session in sessions:
        rule(session, said)
    merge_players(club=tournament.club, kept_id=people[3], gone_id=twin, **said)
    Entrant.objects.filter(session=two, line="S", number=7).update(ranked=False)
    for session in sessions:
        entering.raise_results_version(session.pk)
        of_session.refresh(session.pk, now=timezone.now())
    return tournament.pk


def begin(tournament, players, *, etuis, said, deal_set=None, **more):
    weight = {"coefficient": Decimal(more.pop("coefficient", "1"))}
    session = create_session(tournament=tournament, date=DATE, positions=5, etuis_per_position=1, **weight, **more)
    set_entrants(session_id=session.pk, seats=seats_in_order(players))
    if deal_set is None:
        given = {"club": tournament.club, "name": f"étuis {session.number}", "count": etuis}
        deal_set = create_set_dealt_at_table(**given, **said)
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    return start_session(session_id=session.pk, now=said["now"])


def replace(session, director, *, position, own, seat=("N", 2)):
    line, number = seat
    gone = session.entrants.get(line=line, number=number, last_position=None)
    (player,) = add_players(
        club=session.tournament.club, lines=[RosterLine(f"Remplaçant{session.number}{position}", "Luc")]
    )
    told = {"by": director, "now": timezone.now(), "seen": number_of_plan(session), "choice": 0}
    change_session(session_id=session.pk, operation=Substitute(gone.pk, player.pk, position, own=own), **told)


def in_order(session):
    return list(session.plays.select_related("etui").order_by("etui__number", "position"))


def play_out(session, said):
    """Enter all results, but for one play that is set aside and one play that stays without a result.

    A second play is set aside first, and gets its result all the same.
    """
    plays = in_order(session)
    for play in plays[20:22]:
        entering.not_played(play_id=play.pk, **said)
    played = plays[:20] + plays[21:22] + plays[23:]  # with the second of the two that were set aside
    if session.tournament.auction == "imposed":
        enter_all(session, by=said["by"], plays=played)
    else:
        for place, play in enumerate(played):
            enter(play, bid(place, play), by=said["by"])


def bid(place, play):
    """Return an entry for any line and any contract; every seventh deal is passed out."""
    if place % 7 == 6:
        return AllPassed()
    taker = "NESW"[(place * 5 + play.position) % 4]
    if place % 5 == 4:
        return Fiche(Line(taker), 66 - 132 * (place % 2))
    contract = list(Contract)[place % 4]
    return Facts(Line(taker), DealResult(4, contract, place % 3, 2 * (30 + place * 11 % 41)))


def rule(session, said):
    """Make every kind of ruling, and take some of them back."""
    plays = in_order(session)
    because = said | {"reason": WHY}
    free = session.tournament.auction == "free"
    adjust_play(play_id=plays[0].pk, score=106, taker="S" if free else "", **because)
    facing = [line for line in "NESW" if line != plays[1].etui.taker]
    adjust_play(play_id=plays[1].pk, notes={plays[1].etui.taker: "60", facing[0]: "better 60"}, **because)
    adjust_play(play_id=plays[2].pk, notes={facing[1]: "175/2"}, compared=False, **because)
    everybody = dict.fromkeys("NESW", "better 60")
    adjust_play(play_id=plays[7].pk, notes=everybody, compared=False, **because)
    adjust_play(play_id=plays[8].pk, score=-90, taker="W" if free else "", notes={plays[8].etui.taker: "40"}, **because)
    adjust_play(play_id=plays[9].pk, score=30, taker="N" if free else "", **because)
    entering.restore_play(play_id=plays[9].pk, **because)
    entering.annul_play(play_id=plays[11].pk, **because)
    entering.annul_play(play_id=plays[12].pk, **because)
    entering.restore_play(play_id=plays[12].pk, **because)
    version = plays[13].entries.get(current=True).version
    entering.withdraw_result(play_id=plays[13].pk, seen_version=version, **because)
    adjust_play(play_id=plays[22].pk, notes={"N": "better 60", "E": "better 60", "S": "35"}, compared=False, **because)
    split, gone = plays[-1].etui.number, plays[15].etui.number
    ruling.annul_etui(session_id=session.pk, etui=gone, **because)
    if session.group_id is not None:
        ruling.restore_etui(session_id=session.pk, etui=gone, **because)
    else:
        ruling.split_etui(session_id=session.pk, etui=split, from_position=3, **because)
    one, other, third = session.entrants.order_by("pk")[4:7]
    given = {"session_id": session.pk, **because}
    give_penalty(entrant_id=one.pk, sanction=Sanction("penalty", Decimal("2.5")), **given)
    give_penalty(entrant_id=other.pk, sanction=Sanction("bonus", Decimal("1.25"), position=2), **given)
    back = give_penalty(entrant_id=third.pk, sanction=Sanction("penalty", Decimal(7)), **given)
    take_back_penalty(penalty_id=back.pk, **given)
    give_penalty(entrant_id=third.pk, sanction=Sanction("warning"), **given)


@pytest.fixture
def tournament(db, event):
    return Tournament.objects.get(pk=event)


def test_each_session_is_what_an_independent_computation_gives(tournament):
    for session in Session.objects.filter(tournament=tournament).select_related("group"):
        kept = SessionStandings.objects.get(pk=session.pk).data["players"]
        found = {
            row["id"]: (*(row[name] and Fraction(row[name]) for name in ("attack", "defence", "overall")), row["deals"])
            for row in kept
            if row["deals"]  # an entrant whose only étui is annulled has no percentage
        }
        assert found == independent.percentages(tournament, session), session.number


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"counting": "mean"},
        {"best_of": 2},
        {"counting": "mean", "best_of": 2, "least_sessions": 2},
        {"counting": "mean", "least_sessions": 3},
    ],
)
def test_the_tournament_is_what_an_independent_computation_gives(tournament, settings):
    Tournament.objects.filter(pk=tournament.pk).update(**settings, revision=tournament.revision + 1)
    tournament.refresh_from_db()
    counting.refresh(tournament.pk, now=timezone.now())
    data = TournamentStandings.objects.get(pk=tournament.pk).data
    found = {
        row["player"]: (
            row["total"] and Fraction(row["total"]),
            row["rank"],
            [
                None if result is None or result["unranked"] else Fraction(result["overall"])
                for result in row["results"]
            ],
        )
        for row in data["players"]
    }
    expected = {player: tuple(rest) for player, *rest in independent.rank(tournament)}
    assert found == expected
    assert [each["coefficient"] for each in data["rounds"]] == ["1", "3/2", "2"]
    assert [len(each["sessions"]) for each in data["rounds"]] == [1, 1, 2]
    assert Play.objects.filter(session__tournament=tournament, entries=None).count() == 2 * 4
    assert len(found) == 42  # two substitutes are among them; one has played too little to be ranked
    assert sum(rank is None for _total, rank, _results in found.values()) >= 1
