"""The published ranking of a tournament: what it counts, which status it has, and who may change it."""

import datetime as dt

import pytest
from django.utils import timezone, translation

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays.entering import correct_result
from evenings.standings import computing as of_session
from rankings.events import counting, publishing
from rankings.publication.publishing import SESSIONS
from registration.people.merging import merge_players, undo_merge
from tests import shared_evenings
from tests.factories import enter_all, garde, publish, started_session
from tests.rankings.events.several import played_sessions, published_sessions
from tournaments.errors import ActionRefused
from tournaments.models import Tournament, TournamentPublication, TournamentStandings
from tournaments.versions import DirectorWord
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


director = shared_evenings.director_of_tournament


@pytest.fixture
def say(tournament, director):
    """Return a function that does something to the tournament in the director's name."""

    def say(do, reason="", **later):
        word = DirectorWord(director, timezone.now() + dt.timedelta(**later), reason)
        return do(tournament.pk, word)

    return say


def correct(session, by):
    """Correct the worst published score so that it becomes the best."""
    published = session.publications.first().data["etuis"]
    worst = min((play for etui in published for play in etui["plays"]), key=lambda play: play["base_score"])
    correct_result(
        play_id=worst["id"],
        entry=garde(worst["taker"], points=74),
        reason="relu",
        seen_version=1,
        by=by,
        now=timezone.now(),
    )


def refused(do, *args, **told):
    with pytest.raises(ActionRefused) as refusal:
        do(*args, **told)
    return refusal.value.code


@pytest.mark.nightly("story")
def test_it_counts_what_is_published_of_the_sessions_and_says_which_versions(tournament, director, say):
    one, other = published_sessions(tournament, by=director)
    played_sessions(tournament, by=director, count=1)  # it has all results, but is not published
    correct(one, director)  # the correction is not published either
    version = say(publishing.TOURNAMENTS.publish)
    assert version.sessions == {str(one.pk): 1, str(other.pk): 1}
    assert [each["sessions"][0]["number"] for each in version.data["rounds"]] == [1, 2]
    first = {row["player"]: row["overall"] for row in one.publications.get().data["players"]}
    assert {row["player"]: row["results"][0]["overall"] for row in version.data["players"]} == first
    assert (version.status, version.version) == ("provisional", 1)


@pytest.mark.nightly("story")
def test_session_in_which_no_etui_is_compared_counts_in_neither_ranking(tournament, director, say):
    one, other = published_sessions(tournament, by=director)
    alone = started_session(tournament, tables=5, positions=5)
    first = alone.plays.filter(position=1).select_related("etui").first()
    enter_all(alone, by=director, plays=[first])
    of_session.refresh(alone.pk, now=timezone.now())
    assert publish(alone, by=director, allow_missing=True).compared_etuis == 0
    version = say(publishing.TOURNAMENTS.publish)
    counting.refresh(tournament.pk, now=timezone.now())
    running = TournamentStandings.objects.get(pk=tournament.pk).data
    rounds = [{"sessions": [session["id"] for session in each["sessions"]]} for each in version.data["rounds"]]
    assert rounds == [{"sessions": [one.pk]}, {"sessions": [other.pk]}]
    assert version.data["rounds"] == running["rounds"]
    assert version.data["players"] == running["players"]
    assert version.sessions == {str(one.pk): 1, str(other.pk): 1}


def test_version_that_only_became_official_counts_as_before(tournament, director, say):
    one, other = published_sessions(tournament, by=director)
    SESSIONS.make_official(one.pk, word=DirectorWord(director, timezone.now()))
    assert one.publications.first().compared_etuis == one.publications.last().compared_etuis == 5
    assert say(publishing.TOURNAMENTS.publish).sessions == {str(one.pk): 2, str(other.pk): 1}


def test_published_twice_it_is_published_once(tournament, director, say):
    published_sessions(tournament, by=director)
    assert say(publishing.TOURNAMENTS.publish) == say(publishing.TOURNAMENTS.publish)
    assert tournament.publications.count() == 1


def test_a_session_that_becomes_official_changes_nothing_in_it(tournament, director, say):
    one, _other = published_sessions(tournament, by=director)
    first = say(publishing.TOURNAMENTS.publish)
    SESSIONS.make_official(one.pk, word=DirectorWord(director, timezone.now()))
    assert not publishing.TOURNAMENTS.find_due(tournament, first, timezone.now())
    assert say(publishing.TOURNAMENTS.publish) == first


def test_one_session_has_no_ranking_of_a_tournament(tournament, director, say):
    published_sessions(tournament, by=director, count=1)
    assert refused(say, publishing.TOURNAMENTS.publish) == "tournament_of_one"


@pytest.mark.nightly("story")
def test_unpublished_sessions_give_nothing_to_publish(tournament, director, say):
    one, _other = played_sessions(tournament, by=director)
    assert refused(say, publishing.TOURNAMENTS.publish) == "no_session_published"
    publish(one, by=director)
    assert len(say(publishing.TOURNAMENTS.publish).data["rounds"]) == 1  # a first version may follow the first session
    SESSIONS.withdraw(one.pk, word=DirectorWord(director, timezone.now(), "erreur"))
    assert refused(say, publishing.TOURNAMENTS.publish) == "no_session_published"


@pytest.mark.nightly("story")
def test_who_was_two_players_when_his_sessions_were_published_is_one(tournament, director, say):
    one, other = played_sessions(tournament, by=director)
    kept = one.entrants.get(line="N", number=1).player
    (gone,) = add_players(club=tournament.club, lines=[RosterLine("Autre-Nom", "Zoé")])
    other.entrants.filter(player=kept).update(player=gone)
    for session in (one, other):
        publish(session, by=director)
    first, now = say(publishing.TOURNAMENTS.publish), timezone.now()
    assert {kept.pk, gone.pk} <= {row["player"] for row in first.data["players"]}
    made = merge_players(club=tournament.club, kept_id=kept.pk, gone_id=gone.pk, by=director, now=now)
    assert publishing.TOURNAMENTS.find_due(tournament, first, timezone.now())
    rows = {row["player"]: row for row in say(publishing.TOURNAMENTS.publish).data["players"]}
    assert gone.pk not in rows
    assert all(result is not None for result in rows[kept.pk]["results"])
    undo_merge(club=tournament.club, merge_id=made.pk, by=director, now=now)
    assert say(publishing.TOURNAMENTS.publish).digest == first.digest


def test_the_window_makes_it_official_whoever_comes(tournament, director, say):
    published_sessions(tournament, by=director)
    first = say(publishing.TOURNAMENTS.publish)
    TournamentPublication.objects.filter(pk=first.pk).update(official_from=timezone.now() - dt.timedelta(hours=1))
    stamp = publishing.TOURNAMENTS.look_up(tournament.club.slug, tournament.slug, None)
    assert (stamp.version, stamp.status, stamp.same) == (2, "official", True)
    newest = tournament.publications.first()
    assert (newest.published_by, newest.changes, newest.digest, newest.sessions) == (
        None,
        [],
        first.digest,
        first.sessions,
    )
    publishing.TOURNAMENTS.settle_all()
    assert tournament.publications.count() == 2


def test_the_sweep_makes_it_official(tournament, director, say):
    published_sessions(tournament, by=director)
    first = say(publishing.TOURNAMENTS.publish)
    TournamentPublication.objects.filter(pk=first.pk).update(official_from=timezone.now() - dt.timedelta(hours=1))
    publishing.TOURNAMENTS.settle_all()
    assert tournament.publications.first().status == "official"


@pytest.mark.nightly("story")
def test_other_figures_than_the_official_ones_want_a_reason_and_say_what_changed(tournament, director, say):
    one, _other = published_sessions(tournament, by=director)
    say(publishing.TOURNAMENTS.publish)
    say(publishing.TOURNAMENTS.make_official)
    correct(one, director)
    publish(one, by=director)
    assert refused(say, publishing.TOURNAMENTS.publish) == "reason_missing"
    version = say(publishing.TOURNAMENTS.publish, "étui 1 relu")
    assert (version.version, version.status, version.reason) == (3, "provisional", "étui 1 relu")
    codes = [change["code"] for change in version.changes]
    assert "percentages" in codes


@pytest.mark.nightly("story")
def test_another_session_is_told_as_what_changed(tournament, director, say):
    published_sessions(tournament, by=director)
    say(publishing.TOURNAMENTS.publish)
    published_sessions(tournament, by=director, count=1)
    Tournament.objects.filter(pk=tournament.pk).update(counting="mean")
    version = say(publishing.TOURNAMENTS.publish)
    assert [change["code"] for change in version.changes[:2]] == ["counting", "session_came"]
    assert version.changes[1] == {"code": "session_came", "session": 3}


def test_it_is_taken_back_and_reopened_with_a_reason_and_each_session_logs_it(tournament, director, say):
    one, other = published_sessions(tournament, by=director)
    assert refused(say, publishing.TOURNAMENTS.withdraw, "erreur") == "nothing_published"
    say(publishing.TOURNAMENTS.publish)
    assert refused(say, publishing.TOURNAMENTS.withdraw) == "reason_missing"
    assert refused(say, publishing.TOURNAMENTS.reopen, "relu") == "ranking_not_official"
    say(publishing.TOURNAMENTS.make_official)
    assert say(publishing.TOURNAMENTS.reopen, "relu").status == "provisional"
    withdrawn = say(publishing.TOURNAMENTS.withdraw, "mauvais coefficient")
    assert say(publishing.TOURNAMENTS.withdraw, "encore") == withdrawn
    stamp = publishing.TOURNAMENTS.look_up(tournament.club.slug, tournament.slug, 1)
    assert (stamp.version, stamp.withdrawn) == (1, withdrawn.version)
    assert say(publishing.TOURNAMENTS.publish).status == "provisional"
    for session in (one, other):
        with translation.override("en"):
            said = [say_log(line) for line in session.log.filter(action__startswith="tournament_").order_by("id")]
        assert said == [
            "Tournament ranking published: version 1",
            "Tournament ranking official: version 2",
            "Tournament ranking provisional again (version 3), reason: relu",
            "Tournament ranking withdrawn (version 4), reason: mauvais coefficient",
            "Tournament ranking published: version 5",
        ]
