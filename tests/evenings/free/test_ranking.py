"""The ranking of an evening of donnes libres, against sums that this module makes by itself."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.entering import withdraw_result
from evenings.standings.computing import compute, refresh, rules_of
from evenings.standings.etuis import figure_etuis, play_rows
from scoring.contract import Contract, DealResult
from scoring.formats import FREE_DEALS
from scoring.ranking import standings
from scoring.ties import UnrankedReason
from tests.factories import enter, make_director
from tests.free_evenings import lay_out_games, lay_out_tables, plays_at
from tournaments.models import Session, SessionStandings
from tournaments.rules.entry import Facts, Fiche, GameSheet

# Twelve players in two games: first four, three and five at a table, then four at each.
GAMES = [[[0, 1, 2, 3], [4, 5, 6], [7, 8, 9, 10, 11]], [[0, 4, 7, 11], [1, 5, 8, 2], [3, 6, 9, 10]]]


@pytest.fixture
def session(db):
    return lay_out_games(GAMES, deals=2)


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


def entry_at(play):
    """Return a result that differs from play to play."""
    seats = [*play.seat_ids]
    taker = seats[(play.etui.number + play.table.number) % len(seats)]
    partner = seats[play.position % 5] if len(seats) == 5 else None
    return Fiche(taker, 10 * play.etui.number - 7 * play.table.number * play.position, partner=partner)


def sums_by_hand(session, entries):
    """Return the sum of marks of each entrant, counted without the site's rules."""
    sums = Counter()
    for play, entry in entries:
        seats, score = play.seat_ids, entry.base_score
        partner = entry.partner if entry.partner != entry.taker else None
        defenders = [who for seat, who in seats.items() if seat not in (entry.taker, partner)]
        for who in defenders:
            sums[who] -= score
        won = score * len(defenders)
        if partner:
            sums[seats[partner]] += score
            won -= score
        sums[seats[entry.taker]] += won
    return sums


def told(session):
    return {row["id"]: (row["rank_general"], row["overall"]) for row in compute(session.pk).figures["players"]}


@pytest.mark.nightly("statistics")
def test_evening_equals_an_independent_computation(session, by):
    plays = list(session.plays.select_related("etui", "table"))
    entries = [(play, entry_at(play)) for play in plays]
    for play, entry in entries:
        enter(play, entry, by=by)
    sums = sums_by_hand(session, entries)
    assert sum(sums.values()) == 0
    ranks = {who: 1 + sum(other > total for other in sums.values()) for who, total in sums.items()}
    assert told(session) == {who: (ranks[who], str(total)) for who, total in sums.items()}


def test_what_somebody_misses_counts_nothing(session, by):
    play = plays_at(session)[0]
    enter(play, Fiche("N", 30), by=by)
    found = told(session)
    assert found[play.north_id] == (1, "90")
    assert [found[who] for who in (play.east_id, play.south_id, play.west_id)] == [(2, "-30")] * 3
    assert {found[pk] for pk in found.keys() - {*play.seat_ids.values()}} == {(None, None)}


def test_stored_figures_equal_those_from_nothing_after_a_sheet_and_its_withdrawal(session, by):
    plays, now = plays_at(session), timezone.now()
    enter(plays_at(session, game=2)[0], Fiche("S", 25), by=by)
    assert refresh(session.pk, now=now)
    enter(plays[0], GameSheet((("N", 30), ("E", -10), ("S", -10), ("W", -10))), by=by)
    assert refresh(session.pk, now=now)
    assert SessionStandings.objects.get(pk=session.pk).data == compute(session.pk).figures
    withdraw_result(play_id=plays[0].pk, seen_version=1, reason="Autre table", by=by, now=now)
    assert refresh(session.pk, now=now)
    assert SessionStandings.objects.get(pk=session.pk).data == compute(session.pk).figures


def test_weights_of_odd_tables_are_exact(session, by):
    enter(plays_at(session, table=2)[0], Fiche("N", 10), by=by)
    enter(plays_at(session, table=3)[0], Fiche("N", 10, partner="E"), by=by)
    rules = rules_of("fft", FREE_DEALS.name)._replace(weights={3: Fraction("1.22"), 5: Fraction("1.37")})
    (figures,) = (
        each for each in figure_etuis(play_rows([session.pk]), {}, rules, session.pk).values() if any(each.notes)
    )
    by_table = [notes for notes in figures.notes if notes]
    assert by_table == [
        (Fraction("24.4"), Fraction("-12.2"), Fraction("-12.2"), None),
        (Fraction("27.4"), Fraction("13.7"), Fraction("-13.7"), Fraction("-13.7"), Fraction("-13.7")),
    ]
    first = next(iter(figures.plays.values()))
    assert {pk: play.get("marks") for pk, play in figures.plays.items() if play["notes"]} == {
        str(plays_at(session, table=2)[0].pk): {"N": 20, "E": -10, "S": -10},
        str(plays_at(session, table=3)[0].pk): {"N": 20, "E": 10, "S": -10, "W": -10, "F": -10},
    }
    assert first["state"] == "missing"


@pytest.mark.nightly("story")
def test_weights_of_the_session_reach_the_ranking(session, by):
    Session.objects.filter(pk=session.pk).update(three_weight=Decimal("1.22"), five_weight=Decimal("1.37"))
    plays = list(session.plays.select_related("etui", "table"))
    entries = [(play, entry_at(play)) for play in plays]
    for play, entry in entries:
        enter(play, entry, by=by)
    weights = {3: Fraction(122, 100), 5: Fraction(137, 100)}
    sums = Counter()
    for play, entry in entries:
        for who, mark in sums_by_hand(session, [(play, entry)]).items():
            sums[who] += mark * weights.get(len(play.seat_ids), 1)
    assert {who: total for who, (_rank, total) in told(session).items()} == {pk: str(sums[pk]) for pk in sums}
    assert refresh(session.pk, now=timezone.now())
    stored = SessionStandings.objects.get(pk=session.pk)
    assert stored.data == compute(session.pk).figures
    assert stored.data["weights"] == {"3": "61/50", "5": "137/100"}


@pytest.mark.nightly("story")
def test_refresh_of_one_deal_weighs_it(session, by):
    Session.objects.filter(pk=session.pk).update(three_weight=Decimal("1.22"))
    for play in plays_at(session, table=2):
        enter(play, Fiche("N", 10), by=by)
        assert refresh(session.pk, now=timezone.now())
    stored = SessionStandings.objects.get(pk=session.pk)
    assert stored.data == compute(session.pk).figures
    assert {row["overall"] for row in stored.data["players"]} == {None, "244/5", "-122/5"}


def test_weight_of_two_is_a_weight_too(session, by):
    Session.objects.filter(pk=session.pk).update(five_weight=Decimal(2))
    enter(plays_at(session, table=3)[0], Fiche("N", 10, partner="E"), by=by)
    assert compute(session.pk).figures["weights"] == {"5": "2"}


def test_deals_of_games_without_seats_are_missing(db):
    session = lay_out_tables([4, 3], games=3, deals=2, seated=1)
    assert session.plays.count() == 4
    assert compute(session.pk).figures["counts"]["missing"] == 3 * 2 * 2


def test_sheet_where_somebody_rests_in_turn_has_the_weight_of_four(db):
    session = lay_out_games([[[0, 1, 2, 3, 4]]], rests={(1, 1, 1): "N", (1, 1, 2): "F"})
    Session.objects.filter(pk=session.pk).update(five_weight=Decimal("1.37"))
    sheet = GameSheet((("N", 40), ("E", -10), ("S", -10), ("W", -10), ("F", -10)))
    enter(plays_at(session)[0], sheet, by=make_director(session.tournament.club))
    assert {total for _rank, total in told(session).values()} == {"40", "-10"}


def rank_with(session, *ties):
    session.tournament.ties = [*ties]
    session.tournament.save()
    return {row["number"]: (rank, told) for row, rank, told in rows_of(session)}


def rows_of(session):
    numbers = dict(session.entrants.values_list("pk", "number"))
    for row in compute(session.pk).figures["players"]:
        yield {"number": numbers[row["id"]]}, row["rank_general"], row["told"]


def garde(taker, half_points):
    return Facts(taker, DealResult(4, Contract.GARDE, 2, half_points))


@pytest.fixture
def equals(db):
    """Return two games of four players, of whom the first two have equal sums."""
    session = lay_out_games([[[0, 1, 2, 3]], [[0, 1, 2, 3]]], deals=2)
    by = make_director(session.tournament.club)
    (first, second), (third, fourth) = plays_at(session, game=1), plays_at(session, game=2)
    enter(first, garde("N", 82), by=by)  # North makes 25 × 2
    enter(second, garde("E", 82), by=by)
    enter(third, garde("S", 82), by=by)
    enter(fourth, garde("W", 80), by=by)
    return session


def test_equal_sums_share_the_rank(equals):
    found = rank_with(equals)
    assert {rank for rank, _told in (found[1], found[2])} == {found[1][0]}
    assert found[1][1] == ""


def test_contracts_made_separate_equals_only_where_all_facts_are_known(db):
    session = lay_out_games([[[0, 1, 2, 3]]], deals=4)
    by = make_director(session.tournament.club)
    plays = plays_at(session)
    enter(plays[0], garde("N", 82), by=by)
    enter(plays[1], garde("N", 80), by=by)  # lost by one point
    enter(plays[2], garde("W", 82), by=by)
    found = rank_with(session, "contracts")
    assert found[2] == found[3]  # neither took
    enter(plays[3], Fiche("W", 0), by=by)
    assert {told for _rank, told in rank_with(session, "contracts").values()} == {""}


def test_best_game_separates_equals(db):
    session = lay_out_games([[[0, 1, 2, 3]], [[0, 1, 2, 3]]], deals=2)
    by = make_director(session.tournament.club)
    sheets = ({"N": 60, "E": 40, "S": -50, "W": -50}, {"N": -20, "E": 0, "S": 10, "W": 10})
    for game, marks in enumerate(sheets, start=1):
        enter(plays_at(session, game=game)[0], GameSheet((*marks.items(),)), by=by)
    assert rank_with(session) == {1: (1, ""), 2: (1, ""), 3: (3, ""), 4: (3, "")}
    assert rank_with(session, "best_game") == {1: (1, "best_game"), 2: (2, "best_game"), 3: (3, ""), 4: (3, "")}
    assert rank_with(session, "attack", "tops") == rank_with(session)


def test_best_game_is_found_for_stored_standings_after_one_more_sheet(db):
    session = lay_out_games([[[0, 1, 2, 3]], [[0, 1, 2, 3]]], deals=2)
    rank_with(session, "best_game")
    by = make_director(session.tournament.club)
    for game, marks in enumerate(({"N": 60, "E": 40, "S": -50, "W": -50}, {"N": -20, "E": 0, "S": 10, "W": 10}), 1):
        enter(plays_at(session, game=game)[0], GameSheet((*marks.items(),)), by=by)
        assert refresh(session.pk, now=timezone.now())
    stored = SessionStandings.objects.get(pk=session.pk).data
    assert stored == compute(session.pk).figures
    assert sum(row["told"] == "best_game" for row in stored["players"]) == 2


@pytest.mark.nightly("story")
def test_share_of_deals_counts_all_deals_of_a_sheet(session, by):
    session.tournament.least_share = 60
    session.tournament.save()
    enter(plays_at(session)[0], GameSheet((("N", 30), ("E", -10), ("S", -10), ("W", -10))), by=by)
    for play in plays_at(session, table=2):
        enter(play, Fiche("N", 10), by=by)
    for play in plays_at(session, game=2):
        enter(play, Fiche("N", 10), by=by)
    players = {row["id"]: row for row in compute(session.pk).figures["players"]}
    deals = Counter(row["deals"] for row in players.values())
    assert deals == {4: 2, 2: 7, 0: 3}
    first = plays_at(session)[0]
    assert players[first.north_id]["deals"] == 4
    assert players[first.east_id]["unranked"] == str(UnrankedReason.SHARE)


@pytest.mark.nightly("story")
def test_pure_ranking_has_no_comparison(session, by):
    for play in session.plays.select_related("etui", "table"):
        enter(play, entry_at(play), by=by)
    figures = figure_etuis(play_rows([session.pk]), {}, rules_of("fft", FREE_DEALS.name), session.pk)
    ranked = standings([play for each in figures.values() for play in each.scored], FREE_DEALS)
    assert {row.player: (row.rank_general, str(row.overall)) for row in ranked.players} == told(session)
