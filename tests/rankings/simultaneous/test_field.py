"""The field of a simultaneous of 12 clubs, against a computation in plain Python from plain figures."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, correct_result
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.plays.ruling import annul_etui, restore_etui, split_etui
from rankings.simultaneous.field import computing
from rankings.simultaneous.field.computing import find_stale_fields, refresh_field
from tests.evenings.changes.test_carry_out import change, newcomers
from tests.factories import garde
from tests.joined import join_players
from tests.rankings.simultaneous.national_day import (
    DAY,
    HOUR,
    POSITIONS,
    compute,
    enter_session,
    figures,
    join_club,
    make_simultaneous,
    points_of,
    score_of,
)
from tests.scoring.fields import plain_field
from tournaments.models import FieldRuling, Penalty, ResultEntry, Session, SimultaneousClub
from tournaments.rules.operations import Substitute

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
CLUBS = 12
EVENING = dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)


class PlainDay:
    """The plain figures of a simultaneous: what was entered and ruled, as the tests know it.

    `scores`, `fixed`, `out` and `parts` are by the id of a play, `penalties` and `substitutes` by the id of an entrant.
    """

    def __init__(self, seeds):
        self.seeds = seeds
        self.scores = {}
        self.fixed = {}
        self.out = set()
        self.parts = {}
        self.penalties = {}
        self.unranked = set()
        self.joined = {}

    def clubs(self):
        return [self.club(session, seed) for session, seed in self.seeds.items()]

    def club(self, session, seed):
        plays = []
        for play in session.plays.select_related("etui", "table"):
            seats = {"N": play.north_id, "E": play.east_id, "S": play.south_id, "W": play.west_id}
            plays.append(
                {
                    "etui": (play.etui.number, self.parts.get(play.pk)),
                    "seats": {seat: (session.pk, who) for seat, who in seats.items()},
                    "taker": play.etui.taker,
                    "score": self.scores.get(play.pk, score_of(points_of(seed, play))),
                    "fixed": self.fixed.get(play.pk, {}),
                    "out": play.pk in self.out,
                }
            )
        people = {
            (session.pk, each.pk): {
                "who": self.joined.get(each.player_id, each.player_id),
                "line": each.line,
                "ranked": each.pk not in self.unranked,
            }
            for each in session.entrants.all()
        }
        return {
            "name": session.pk,
            "begun": Session.objects.get(pk=session.pk).started_at,
            "plays": plays,
            "people": people,
            "penalties": {(session.pk, who): points for who, points in self.penalties.items()},
            "least_share": 50,
            "substitutes": True,
        }

    def expect(self, annulled=(), lookers=()):
        """Return the figures that the field must have."""
        found = plain_field(self.clubs(), annulled=annulled, lookers=lookers, number_of=lambda play: play["etui"][0])
        return {key: each for (_club, key), each in found.items()}


def make_day(organiser, director, clubs):
    """Return a simultaneous, one club of it two days later and one that never plays, and its plain figures."""
    simultaneous = make_simultaneous(organiser)
    seeds = {}
    for number in range(clubs):
        begun = EVENING + number * HOUR / 10
        if number == clubs - 2:
            begun = EVENING + 2 * DAY
        row = join_club(simultaneous, f"Club{number}", director, begun=None if number == clubs - 1 else begun)
        if row.session_id:
            seeds[Session.objects.get(pk=row.session_id)] = number
    return simultaneous, PlainDay(seeds)


@pytest.fixture
def day(organiser, director):
    return make_day(organiser, director, 4)


def play_all(plain, director):
    for session, seed in plain.seeds.items():
        enter_session(session, seed, director)


def rule_much(plain, director):
    """Correct results and rule in several clubs, and write each down in the plain figures."""
    now = timezone.now()
    said = {"reason": "x", "by": director, "now": now}
    first, second, third, fourth, fifth, sixth, seventh = list(plain.seeds)[:7]
    # a correction
    play = first.plays.select_related("etui").first()
    correct_result(
        play_id=play.pk, entry=garde(play.etui.taker, points=80), seen_version=1, reason="x", by=director, now=now
    )
    plain.scores[play.pk] = score_of(80)
    # an annulled play, and an étui that one club annulled for itself
    play = second.plays.first()
    annul_play(play_id=play.pk, **said)
    plain.scores[play.pk] = None
    annul_etui(session_id=second.pk, etui=3, **said)
    plain.scores |= dict.fromkeys(second.plays.filter(etui__number=3).values_list("pk", flat=True))
    # an assigned score, notes fixed beside the comparison, and notes fixed in it
    one, two, three = third.plays.select_related("etui").order_by("pk")[:3]
    adjust_play(play_id=one.pk, score=106, taker=one.etui.taker, seen_ruling=0, **said)
    plain.scores[one.pk] = 106
    adjust_play(play_id=two.pk, notes={"N": "60", "E": "better 60"}, compared=False, seen_ruling=0, **said)
    plain.fixed[two.pk] = {"N": Fraction(60), "E": ("better", 60)}
    plain.out.add(two.pk)
    adjust_play(play_id=three.pk, notes={"S": "better 40"}, compared=True, seen_ruling=0, **said)
    plain.fixed[three.pk] = {"S": ("better", 40)}
    # an étui that one club altered half-way
    split_etui(session_id=fourth.pk, etui=2, from_position=2, **said)
    for play in fourth.plays.filter(etui__number=2, position__gte=2):
        plain.parts[play.pk] = ("altered", fourth.pk)
    # penalties, one taken back, one of a single position
    who = fifth.entrants.order_by("pk")[0]
    given = {"session_id": fifth.pk, "entrant_id": who.pk, "seen": 0, **said}
    gone = give_penalty(sanction=Sanction(points=Decimal(9)), **given)
    take_back_penalty(session_id=fifth.pk, penalty_id=gone.pk, **said)
    given["seen"] = Penalty.objects.filter(entrant=who).order_by("-pk").first().pk
    give_penalty(sanction=Sanction(points=Decimal(3), position=2), **given)
    plain.penalties[who.pk] = Fraction(3, POSITIONS)
    # a filler
    filler = sixth.entrants.order_by("pk")[1]
    sixth.entrants.filter(pk=filler.pk).update(ranked=False)
    Session.objects.filter(pk=sixth.pk).update(results_version=999)
    plain.unranked.add(filler.pk)
    # a person in two clubs: the second one began later
    mine, theirs = sixth.entrants.order_by("pk")[2], seventh.entrants.order_by("pk")[3]
    join_players(mine.player, theirs.player)
    plain.joined |= {mine.player_id: "both", theirs.player_id: "both"}
    return filler


def substitute(plain, director):
    """Let a newcomer take a seat in one club from the second position on, before the results are entered."""
    session = list(plain.seeds)[7]
    seat = session.entrants.order_by("pk")[4]
    (player,) = newcomers(session, "Remplaçante")
    change(session, Substitute(seat.pk, player, position=2), director)


def rule_for_all(simultaneous, director, **told):
    """Add a ruling of the organiser as a row."""
    FieldRuling.objects.create(
        simultaneous=simultaneous, reason="x", ruled_at=timezone.now(), **rulers(director), **told
    )
    type(simultaneous).objects.filter(pk=simultaneous.pk).update(revision=simultaneous.revision + 1)
    simultaneous.refresh_from_db()


def rulers(director):
    names = {field.name for field in FieldRuling._meta.get_fields()}
    return {name: director for name in ("author", "by") if name in names}


def test_a_simultaneous_of_12_clubs_equals_an_independent_computation(organiser, director):
    simultaneous, plain = make_day(organiser, director, CLUBS)
    substitute(plain, director)
    play_all(plain, director)
    rule_much(plain, director)
    data = compute(simultaneous)
    assert figures(data) == plain.expect()
    assert [each["state"] for each in data["clubs"]] == ["playing"] * 11 + ["missing"]
    assert len(data["players"]) == 11 * 20  # one substitute more, and one person twice

    rule_for_all(simultaneous, director, etui=5, kind="annulled")
    data = compute(simultaneous)
    assert figures(data) == plain.expect(annulled={5})
    assert [etui["number"] for etui in data["etuis"] if etui["annulled"]] == [5]

    rule_for_all(simultaneous, director, etui=5, kind="lifted")
    rule_for_all(simultaneous, director, etui=4, kind="split", from_position=2)
    for session in plain.seeds:
        for play in session.plays.filter(etui__number=4, position__gte=2):
            plain.parts[play.pk] = "altered for all"
    assert figures(compute(simultaneous)) == plain.expect()


def test_corrections_and_corrections_back_change_nothing(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    before = compute(simultaneous)
    session = next(iter(plain.seeds))
    play = session.plays.select_related("etui", "table").first()
    said = {"reason": "x", "by": director, "now": timezone.now()}
    points = points_of(plain.seeds[session], play)
    correct_result(play_id=play.pk, entry=garde(play.etui.taker, points=80), seen_version=1, **said)
    annul_etui(session_id=session.pk, etui=2, **said)
    changed = compute(simultaneous)
    assert changed != before
    correct_result(play_id=play.pk, entry=garde(play.etui.taker, points=points), seen_version=2, **said)
    restore_etui(session_id=session.pk, etui=2, **said)
    again = compute(simultaneous)
    assert again == before


def test_standings_are_kept_until_their_basis_changes(day, director, django_assert_num_queries):
    simultaneous, plain = day
    play_all(plain, director)
    now = timezone.now()
    assert find_stale_fields(now) == [simultaneous.pk]
    assert refresh_field(simultaneous.pk, now=now)
    assert not refresh_field(simultaneous.pk, now=now)
    assert find_stale_fields(now) == []
    session = next(iter(plain.seeds))
    annul_etui(session_id=session.pk, etui=2, reason="x", by=director, now=now)
    assert find_stale_fields(now) == [simultaneous.pk]
    assert refresh_field(simultaneous.pk, now=now)


def test_a_join_of_two_players_makes_the_field_stale(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    compute(simultaneous)
    one, other = (session.entrants.order_by("pk")[0].player for session in list(plain.seeds)[:2])
    join_players(one, other)
    assert find_stale_fields(timezone.now()) == [simultaneous.pk]


def test_the_number_of_queries_does_not_depend_on_the_clubs(
    organiser, director, monkeypatch, django_assert_num_queries
):
    counted = []
    for clubs in (2, 6):
        simultaneous = make_simultaneous(organiser, slug=f"s{clubs}")
        for number in range(clubs):
            row = join_club(simultaneous, f"Club{clubs}{number}", director, begun=EVENING)
            enter_session(Session.objects.get(pk=row.session_id), number, director)
        counted.append(simultaneous)
    for simultaneous in counted:
        with django_assert_num_queries(16):
            refresh_field(simultaneous.pk, now=timezone.now())


def test_plays_entered_after_the_public_hour_do_not_count(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    session, other = list(plain.seeds)[:2]
    late = list(session.plays.values_list("pk", flat=True))
    now = timezone.now()
    over = now - HOUR
    type(simultaneous).objects.filter(pk=simultaneous.pk).update(opens_at=over - DAY, closes_at=over, public_at=over)
    simultaneous.refresh_from_db()
    sessions = [each for each in plain.seeds if each.pk != session.pk]
    ResultEntry.objects.filter(play__session__in=sessions).update(entered_at=over - HOUR)
    plain.scores |= dict.fromkeys(late)
    data = compute(simultaneous)
    assert data["complete"]
    assert figures(data) == plain.expect()
    # a correction of a result that came in time still counts
    play = other.plays.select_related("etui").first()
    correct_result(
        play_id=play.pk, entry=garde(play.etui.taker, points=80), seen_version=1, reason="x", by=director, now=now
    )
    plain.scores[play.pk] = score_of(80)
    assert figures(compute(simultaneous)) == plain.expect()


def test_closing_leaves_out_a_club_that_begins_later(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    now = timezone.now()
    session = next(iter(plain.seeds))
    ResultEntry.objects.filter(play__session__in=list(plain.seeds)).update(entered_at=now - HOUR)
    ResultEntry.objects.filter(play__session=session).update(entered_at=now + HOUR)
    type(simultaneous).objects.filter(pk=simultaneous.pk).update(closed_at=now, closed_by=director)
    simultaneous.refresh_from_db()
    plain.scores |= dict.fromkeys(session.plays.values_list("pk", flat=True))
    data = compute(simultaneous)
    assert data["complete"]
    assert figures(data) == plain.expect()
    assert data["clubs"][0]["scored"] == 0


def test_a_session_in_another_format_is_not_compared(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    last = list(plain.seeds)[-1]
    tournament = last.tournament
    tournament.format = "free_auction"
    tournament.save(update_fields=["format"])
    data = compute(simultaneous)
    states = [each["state"] for each in data["clubs"]]
    assert states.count("other_format") == 1
    assert last.pk not in {row["session"] for row in data["players"]}


def test_a_club_that_left_and_a_session_put_away_do_not_count(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    first, second = list(plain.seeds)[:2]
    SimultaneousClub.objects.filter(session=first).update(left_at=timezone.now())
    Session.objects.filter(pk=second.pk).update(put_away_at=timezone.now())
    data = compute(simultaneous)
    assert {first.pk, second.pk}.isdisjoint(row["session"] for row in data["players"])
    del plain.seeds[first], plain.seeds[second]
    assert figures(data) == plain.expect()


def test_stored_figures_are_those_of_a_new_computation(day, director):
    simultaneous, plain = day
    play_all(plain, director)
    data = compute(simultaneous)
    sources = computing.read_sources(simultaneous, timezone.now())
    assert computing.figure_field(simultaneous, sources) == data
