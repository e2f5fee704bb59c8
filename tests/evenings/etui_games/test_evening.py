"""An evening with étuis for three or five players: prepared, started, played and ranked seat by seat."""

from collections import Counter
from fractions import Fraction

import pytest
from django.utils import timezone

from deals.domain.deal import loads
from deals.sets import create_deal_set
from evenings.plans.starting import start_session, unstart_session
from evenings.sessions.checklist import preparation_of
from evenings.sessions.setup import use_deal_set
from evenings.standings.computing import compute
from scoring.plays import SEATS
from tests.etui_games import draft_etui_session, make_etui_tournament, play_etuis, start_etui_session
from tests.factories import enter, make_club, make_director
from tournaments.errors import ActionRefused
from tournaments.models import Etui, Session
from tournaments.rules.entry import EntryError, Fiche

pytestmark = pytest.mark.django_db
SIZES = (3, 5)


def director_of(session):
    return make_director(session.tournament.club)


@pytest.fixture(params=SIZES, ids=["at three", "at five"])
def size(request):
    return request.param


def start(size, tables=2, **shape):
    club = make_club()
    by = make_director(club)
    return start_etui_session(size, tables, by=by, tournament=make_etui_tournament(size, club), **shape), by


@pytest.mark.nightly("story")
def test_all_tables_play_the_same_etuis_in_each_position(size):
    session, _by = start(size, tables=6, positions=3, etuis=4)
    plays = list(session.plays.select_related("table", "etui"))
    assert len(plays) == 6 * 3 * 4
    for position in (1, 2, 3):
        numbers = {}
        for play in plays:
            if play.position == position:
                numbers.setdefault(play.table.number, set()).add(play.etui.number)
        assert [*numbers.values()] == [set(range(4 * position - 3, 4 * position + 1))] * 6
    met = Counter()
    for play in plays:
        assert play.playing_seats == SEATS[:size]
        if play.etui.number % 4 == 0:
            here = [*play.seat_ids.values()]
            met.update(frozenset((one, two)) for one in here for two in here if one < two)
    assert {*met.values()} == {1}


@pytest.mark.nightly("story")
def test_the_cards_of_the_set_are_for_this_number_of_players(size):
    session, _by = start(size)
    assert session.deal_set.players == size
    assert session.deal_set.sealed_at is not None
    for etui in session.deal_set.etuis.all():
        assert loads(etui.cards).players == size
        assert (etui.taker, etui.dealer in SEATS[:size]) == ("", True)


@pytest.mark.nightly("story")
def test_notes_compare_each_mark_with_the_same_seat_at_other_tables(size):
    session, by = start(size, tables=3)
    play_etuis(session, by)
    computed = compute(session.pk)
    assert computed.figures["counts"] == {"scored": 12, "missing": 0, "annulled": 0, "not_played": 0}
    by_seat, own = {}, {}
    for play in session.plays.select_related("etui"):
        told = computed.data["plays"][str(play.pk)]
        assert sum(told["marks"].values()) == 0
        assert [*told["notes"]] == [*SEATS[:size]]
        for seat, entrant in play.seat_ids.items():
            note = Fraction(told["notes"][seat])
            own.setdefault(entrant, []).append(note)
            by_seat.setdefault((play.etui.number, seat), []).append((told["marks"][seat], note))
    for column in by_seat.values():
        for mark, note in column:
            halves = sum((2 * (other < mark) + (other == mark)) for other, _note in column) - 1
            assert note == Fraction(100 * halves, 2 * (len(column) - 1))
    for player in computed.figures["players"]:
        notes = own[player["id"]]
        assert Fraction(player["overall"]) == sum(notes) / len(notes)
        assert (player["line"], player["rank_line"], player["rank_alterne"]) == ("", None, None)
    assert sorted(player["rank_general"] for player in computed.figures["players"])[0] == 1


@pytest.mark.parametrize(("size", "people", "told"), [(3, 35, ("33", "36")), (5, 63, ("60", "65")), (3, 4, ("3", "6"))])
def test_another_number_of_players_is_refused_with_what_to_do(size, people, told):
    club = make_club()
    by = make_director(club)
    session = draft_etui_session(size, 0, people=people, by=by, tournament=make_etui_tournament(size, club))
    step = preparation_of(session).steps[1]
    assert (step.name, step.ready) == ("games", False)
    assert all(number in step.text for number in told)
    with pytest.raises(ActionRefused) as caught:
        start_session(session_id=session.pk, by=by, now=timezone.now())
    assert caught.value.code == "games_impossible"
    assert Session.objects.get(pk=session.pk).status == Session.Status.DRAFT
    assert session.deal_set.sealed_at is None


def test_etuis_for_another_number_of_players_are_refused(size):
    club = make_club()
    by = make_director(club)
    session = draft_etui_session(size, 2, tournament=make_etui_tournament(size, club))
    for players in {3, 4, 5} - {size}:
        other = create_deal_set(club=club, name="autres", count=4, now=timezone.now(), by=by, players=players)
        use_deal_set(session_id=session.pk, deal_set=other)
        with pytest.raises(ActionRefused) as caught:
            start_session(session_id=session.pk, by=by, now=timezone.now())
        assert caught.value.code == "etuis_of_other_size"


def test_the_checklist_says_what_is_missing(size):
    club = make_club()
    by = make_director(club)
    session = draft_etui_session(size, 2, tournament=make_etui_tournament(size, club))
    assert [(step.name, step.ready) for step in preparation_of(session).steps] == [
        ("players", True),
        ("games", True),
        ("etuis", False),
        ("start", False),
    ]
    ready = draft_etui_session(size, 2, by=by, tournament=make_etui_tournament(size, club, name="Prêt"))
    assert preparation_of(ready).ready


@pytest.mark.nightly("story")
def test_the_start_is_undone_and_done_again(size):
    session, by = start(size)
    unstart_session(session_id=session.pk, by=by, now=timezone.now())
    assert not session.plays.exists()
    start_session(session_id=session.pk, by=by, now=timezone.now())
    assert session.plays.count() == 2 * 4


@pytest.mark.nightly("story")
def test_a_session_starts_with_a_later_etui_of_a_large_set(size):
    club = make_club()
    by = make_director(club)
    session = draft_etui_session(size, 2, tournament=make_etui_tournament(size, club))
    large = create_deal_set(club=club, name="grand", count=12, now=timezone.now(), by=by, players=size)
    use_deal_set(session_id=session.pk, deal_set=large, first_etui=9, needed=4)
    start_session(session_id=session.pk, by=by, now=timezone.now())
    assert sorted(Etui.objects.filter(plays__session=session).distinct().values_list("number", flat=True)) == [
        9,
        10,
        11,
        12,
    ]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("size", "fiche", "code"),
    [
        (3, Fiche("W", 40), "taker_not_there"),
        (3, Fiche("N", 40, partner="E"), "partner_not_five"),
        (5, Fiche("F", 40), "partner_missing"),
    ],
)
def test_an_entry_that_does_not_fit_the_table_is_refused(size, fiche, code):
    session, by = start(size)
    with pytest.raises(EntryError) as caught:
        enter(session.plays.first(), fiche, by=by)
    assert caught.value.code == code
