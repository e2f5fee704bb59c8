"""The way from an empty club to a plan of plays: what each step writes and refuses, and how it is undone."""

import datetime as dt
from decimal import Decimal

import pytest
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.players import add_players
from clubs.roster import RosterLine, read_line
from deals.models import DealSet
from deals.sets import create_deal_set, create_set_dealt_at_table
from evenings.plans.starting import start_session, unstart_session
from evenings.plays.penalties import Sanction, give_penalty
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import (
    SeatGiven,
    create_session,
    edit_session,
    prepare_deals,
    seats_in_order,
    set_entrants,
    use_deal_set,
)
from evenings.standings import computing
from movements import plan_tables
from tests.factories import DATE, draft_session, enter, make_club, make_director, make_tournament, started_session
from tournaments.errors import ActionRefused
from tournaments.models import Session, SessionStandings

pytestmark = pytest.mark.django_db


def start(session):
    return start_session(session_id=session.pk, now=timezone.now())


def refusal(call, *args, **kwargs):
    with pytest.raises(ActionRefused) as caught:
        call(*args, **kwargs)
    return caught.value.code, caught.value.params


def test_tournaments_of_one_name_get_addresses_of_their_own():
    club = make_club()
    slugs = [make_tournament(club, name="Été à l’Île").slug for _ in range(3)]
    assert slugs == ["ete-a-lile", "ete-a-lile-2", "ete-a-lile-3"]


def test_name_without_any_letter_still_has_an_address():
    assert make_tournament(name="★★★").slug == "tournoi"


def test_tournament_named_like_a_page_gets_another_address():
    assert make_tournament(name="New").slug == "new-2"


def test_seating_that_is_refused_puts_nobody_on_the_list_of_the_club():
    session = draft_session()
    club, late = session.tournament.club, RosterLine("Tardif", "Léa")
    listed = club.players.count()
    code, _ = refusal(seat_players, session_id=session.pk, player_ids=[-1], taken=[MatchedLine(late)])
    assert (code, club.players.count()) == ("player_unknown", listed)
    seat_players(session_id=session.pk, player_ids=[], taken=[MatchedLine(late)])
    assert (session.entrants.filter(player__last_name="Tardif").count(), club.players.count()) == (1, listed + 1)


def test_sessions_are_numbered_within_their_tournament():
    tournament = make_tournament()
    assert [create_session(tournament=tournament, date=DATE).number for _ in range(2)] == [1, 2]


def test_seats_fill_table_after_table():
    assert seats_in_order([11, 12, 13, 14, 15]) == [
        SeatGiven(11, "N", 1), SeatGiven(12, "E", 1), SeatGiven(13, "S", 1), SeatGiven(14, "W", 1),
        SeatGiven(15, "N", 2),
    ]  # fmt: skip


@pytest.mark.nightly("story")
def test_start_lays_out_every_play_of_the_movement():
    session = start(draft_session(tables=7, positions=7, etuis_per_position=4))
    planned = {
        (p.position, p.table.number, p.etui.number, p.north.number, p.east.number, p.south.number, p.west.number)
        for p in session.plays.select_related("table", "etui", "north", "east", "south", "west")
    }
    expected = {
        (play.position, play.table, etui, *(who.number for who in play.people))
        for play in plan_tables(7, 7, 4).stops
        for etui in play.etuis
    }
    assert planned == expected
    assert len(planned) == 196


def test_start_seals_the_deal_set_and_keeps_the_first_moment():
    session = start(draft_session())
    sealed = session.deal_set.sealed_at
    assert sealed is not None
    assert start(session).deal_set.sealed_at == sealed


def test_start_twice_lays_out_once():
    session = start(draft_session())
    start(session)
    assert session.plays.count() == 25


def test_start_wants_players():
    session = draft_session()
    session.entrants.all().delete()
    assert refusal(start, session)[0] == "no_players"


@pytest.mark.parametrize("leave", [1, 2])
def test_start_with_a_number_that_leaves_a_choice_asks_for_it(leave):
    session = draft_session()
    for entrant in list(session.entrants.all())[-leave:]:
        entrant.delete()
    assert refusal(start, session) == ("plan_to_choose", {"count": 20 - leave})


def test_start_names_the_empty_seat():
    session = draft_session()
    session.entrants.filter(line="W", number=5).update(line="W", number=9)
    assert refusal(start, session) == ("seat_empty", {"line": "W", "number": 5})


def test_start_wants_enough_etuis():
    session = draft_session(etuis_per_position=2)
    edit_session(session_id=session.pk, now=timezone.now(), etuis_per_position=4)
    assert refusal(start, session) == ("too_few_etuis", {"needed": 20, "count": 10})


def test_start_wants_a_deal_set():
    session = draft_session()
    Session.objects.filter(pk=session.pk).update(deal_set=None)
    assert refusal(start, session) == ("no_deal_set", {"needed": 5})


def test_start_plays_a_number_of_tables_that_no_announcement_describes():
    session = start(draft_session(tables=6, positions=5))
    assert (session.status, session.plays.count()) == ("running", 30)
    assert session.plans.get().data["shifts"] is None


def test_start_is_taken_back_while_nothing_is_entered():
    session = unstart_session(session_id=started_session().pk, now=timezone.now())
    assert (session.status, session.plays.count(), session.tables.count(), session.entrants.count()) == (
        "draft",
        0,
        0,
        20,
    )
    assert start(session).plays.count() == 25


def test_start_stays_once_a_result_depends_on_it():
    session = started_session()
    enter(session.plays.select_related("etui").first(), by=make_director(session.tournament.club))
    assert refusal(unstart_session, session_id=session.pk, now=timezone.now())[0] == "results_depend_on_start"


def test_start_stays_once_somebody_has_a_penalty():
    session = started_session()
    director = make_director(session.tournament.club)
    about = {"sanction": Sanction(points=Decimal(1)), "reason": "en retard", "by": director, "now": timezone.now()}
    give_penalty(session_id=session.pk, entrant_id=session.entrants.first().pk, **about)
    assert refusal(unstart_session, session_id=session.pk, now=timezone.now())[0] == "results_depend_on_start"


def test_players_and_shape_are_fixed_once_started():
    session = started_session()
    assert refusal(set_entrants, session_id=session.pk, seats=[])[0] == "session_started"
    assert (
        refusal(edit_session, session_id=session.pk, now=timezone.now(), date=dt.date(2027, 1, 1))[0]
        == "session_started"
    )
    assert refusal(use_deal_set, session_id=session.pk, deal_set=session.deal_set)[0] == "session_started"


def test_entrants_are_replaced_as_a_whole():
    session = draft_session()
    players = [entrant.player_id for entrant in session.entrants.all()[:4]]
    set_entrants(session_id=session.pk, seats=seats_in_order(players))
    assert session.entrants.count() == 4


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([("a", "N", 1), ("a", "E", 1)], "player_twice"),
        ([("a", "N", 1), ("b", "N", 1)], "seat_twice"),
        ([("foreign", "N", 1)], "player_unknown"),
    ],
)
def test_wrong_seats_change_nothing(seats, code):
    session = draft_session()
    a, b = session.entrants.all()[:2]
    (foreign,) = add_players(club=make_club("autre"), lines=[read_line("Zoé Blanc")])
    ids = {"a": a.player_id, "b": b.player_id, "foreign": foreign.pk}
    wrong = [SeatGiven(ids[name], line, number) for name, line, number in seats]
    assert refusal(set_entrants, session_id=session.pk, seats=wrong)[0] == code
    assert session.entrants.count() == 20


def test_deal_set_of_another_club_is_refused():
    session = draft_session()
    foreign = create_set_dealt_at_table(club=make_club("autre"), name="x", count=5, now=timezone.now(), by=None)
    assert refusal(use_deal_set, session_id=session.pk, deal_set=foreign)[0] == "deal_set_unknown"


def test_session_plays_the_etuis_from_its_first_one_on():
    session = draft_session(tables=5)
    big = create_set_dealt_at_table(club=session.tournament.club, name="x", count=12, now=timezone.now(), by=None)
    use_deal_set(session_id=session.pk, deal_set=big, first_etui=6)
    start(session)
    assert sorted(set(session.plays.values_list("etui__number", flat=True))) == [6, 7, 8, 9, 10]
    assert session.plays.get(position=1, table__number=1).etui.number == 6


def test_first_etui_must_be_in_the_set():
    session = draft_session()
    assert refusal(use_deal_set, session_id=session.pk, deal_set=session.deal_set, first_etui=6)[0] == "etui_unknown"


def test_start_waits_for_the_public_value():
    session = draft_session()
    club = session.tournament.club
    deal_set = create_deal_set(club=club, name="x", count=5, now=timezone.now(), by=None, value_name="Loto")
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    assert refusal(start, session) == ("value_awaited", {"name": "Loto"})


@pytest.mark.nightly("story")
def test_imposed_garde_wants_a_taker_on_each_etui_and_a_free_auction_does_not():
    imposed, free = draft_session(), draft_session(make_tournament(make_club("autre"), auction="free"))
    for session in (imposed, free):
        session.deal_set.etuis.update(taker="")
    assert refusal(start, imposed) == ("etui_without_taker", {"number": 1})
    assert start(free).plays.count() == 25


def test_set_for_another_number_of_players_is_refused():
    session = draft_session()
    DealSet.objects.filter(pk=session.deal_set_id).update(players=5)
    session.refresh_from_db()
    assert refusal(start, session) == ("etuis_not_for_four", {"players": 5})


def test_standings_of_an_earlier_start_are_not_written_after_a_new_one():
    session = started_session()
    old = computing.compute(session.pk)
    unstart_session(session_id=session.pk, now=timezone.now())
    start(session)
    assert SessionStandings.objects.get(pk=session.pk).results_version >= old.results_version


@pytest.mark.parametrize(("auction", "profile"), [("imposed", "garde-1"), ("free", "")])
def test_prepared_deals_suit_the_auction(auction, profile):
    session = draft_session(make_tournament(auction=auction))
    director = make_director(session.tournament.club)
    prepared = prepare_deals(session_id=session.pk, with_cards=True, count=5, by=director, now=timezone.now())
    assert prepared.profile == profile


def test_prepared_deals_have_a_seed_of_their_own_each_time():
    session = draft_session()
    director = make_director(session.tournament.club)
    sets = [
        prepare_deals(session_id=session.pk, with_cards=True, count=5, by=director, now=timezone.now())
        for _ in range(2)
    ]
    assert sets[0].seed != sets[1].seed
    assert Session.objects.get(pk=session.pk).deal_set == sets[1]
    assert all(etui.cards for etui in sets[1].etuis.all())
