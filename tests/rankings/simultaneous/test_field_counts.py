"""The sessions, plays and players that count in the field of a simultaneous: the less usual cases."""

import datetime as dt

import pytest
from django.utils import timezone

from clubs.models import Player
from deals.sets import record_look
from evenings.plays.adjusting import adjust_play
from evenings.sessions.put_away import put_tournament_away
from rankings.simultaneous.field.computing import find_stale_fields, read_sources
from rankings.simultaneous.hours import find_lookers
from rankings.simultaneous.setup import close_simultaneous
from tests.rankings.simultaneous.national_day import (
    HOUR,
    compute,
    enter_session,
    join_club,
    make_simultaneous,
)
from tournaments.models import Play, ResultEntry, Ruling, Session, SimultaneousClub

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def ended(organiser, director):
    """Return a simultaneous that has ended, and a play of a club that had no result then."""
    now = timezone.now()
    simultaneous = make_simultaneous(organiser)
    row = join_club(simultaneous, "Lyon", director, begun=now - HOUR)
    session = Session.objects.get(pk=row.session_id)
    enter_session(session, 1, director)
    play = session.plays.order_by("pk")[0]
    play.entries.all().delete()
    ResultEntry.objects.update(entered_at=now - 30 * MINUTE)
    close_simultaneous(simultaneous_id=simultaneous.pk, by=director, now=now - 5 * MINUTE)
    return simultaneous, play


def count(simultaneous):
    (club,) = compute(simultaneous)["clubs"]
    return club["scored"], club["missing"]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "ruled", [{"score": 100}, {"notes": {"N": "60", "S": "40"}, "compared": False}], ids=["score", "notes"]
)
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_what_is_assigned_after_the_end_does_not_count(ended, director, ruled, closed):
    simultaneous, play = ended
    before = count(simultaneous)
    adjust_play(play_id=play.pk, reason="x", by=director, now=timezone.now(), **ruled)
    if closed:
        Session.objects.filter(pk=play.session_id).update(closed_at=simultaneous.opens_at)
    assert count(simultaneous) == before
    assert before[1] == 1


def test_what_was_assigned_before_the_end_counts(ended, director):
    simultaneous, play = ended
    scored, _missing = count(simultaneous)
    adjust_play(play_id=play.pk, score=100, reason="x", by=director, now=timezone.now())
    Ruling.objects.filter(play=play).update(ruled_at=timezone.now() - 20 * MINUTE)
    assert count(simultaneous) == (scored + 1, 0)


def test_an_assigned_score_in_place_of_a_result_counts_after_the_end(ended, director):
    simultaneous, empty = ended
    played = Play.objects.filter(session=empty.session_id).exclude(pk=empty.pk)[0]
    before = compute(simultaneous)["players"]
    adjust_play(play_id=played.pk, score=400, reason="x", by=director, now=timezone.now())
    assert compute(simultaneous)["players"] != before


@pytest.mark.nightly("story")
def test_a_tournament_put_away_does_not_count(organiser, director):
    simultaneous = make_simultaneous(organiser)
    rows = [join_club(simultaneous, name, director, begun=timezone.now()) for name in ("Lyon", "Metz")]
    for number, row in enumerate(rows):
        enter_session(Session.objects.get(pk=row.session_id), number, director)
    tournament = Session.objects.get(pk=rows[0].session_id).tournament
    before = compute(simultaneous)
    put_tournament_away(tournament_id=tournament.pk, by=director, now=timezone.now())
    assert find_stale_fields(timezone.now()) == [simultaneous.pk]
    data = compute(simultaneous)
    assert [club["state"] for club in data["clubs"]] == ["missing", "playing"]
    assert {row["session"] for row in data["players"]} == {rows[1].session_id}
    put_tournament_away(tournament_id=tournament.pk, by=director, now=timezone.now(), back=True)
    assert compute(simultaneous) == before


@pytest.mark.nightly("story")
def test_clubs_of_this_site_decide_the_format_before_those_of_other_sites(organiser, director):
    simultaneous = make_simultaneous(organiser)
    now = timezone.now()
    here = join_club(simultaneous, "Lyon", director, begun=now)
    elsewhere = join_club(simultaneous, "Metz", director, begun=now - 9000 * HOUR)
    SimultaneousClub.objects.filter(pk=elsewhere.pk).update(is_elsewhere=True)
    tournament = Session.objects.get(pk=elsewhere.session_id).tournament
    tournament.format = "free_auction"
    tournament.save(update_fields=["format"])
    states = {each.club: each.state for each in read_sources(simultaneous, now).clubs}
    assert states == {here.club_id: "playing", elsewhere.club_id: "other_format"}


@pytest.mark.nightly("story")
def test_who_looks_after_the_own_evening_keeps_its_rank(organiser, director):
    simultaneous = make_simultaneous(organiser)
    now = timezone.now()
    sessions = []
    for number, name in enumerate(("Lyon", "Metz")):
        row = join_club(simultaneous, name, director, begun=now - (2 - number) * HOUR)
        sessions.append(Session.objects.get(pk=row.session_id))
        enter_session(sessions[-1], number, director)
    first, second = (session.entrants.order_by("pk")[0] for session in sessions)
    Session.objects.filter(pk=sessions[0].pk).update(closed_at=now - HOUR)
    Player.objects.filter(pk=second.player_id).update(person=first.player.person)
    Player.objects.filter(pk=first.player_id).update(account=director)
    record_look(deal_set=simultaneous.deal_set, user=director, first=1, last=4, now=now)
    assert find_lookers(simultaneous) == {second.pk}
    rows = {row["id"]: row for row in compute(simultaneous)["players"]}
    assert rows[first.pk]["rank_general"]
    assert second.pk not in rows
