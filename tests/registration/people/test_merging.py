"""The merge of two players of a list who are one person: its effects, its refusals, and undoing it."""

import pytest
from django.utils import timezone

from clubs.editing import find_referring_rows
from clubs.matching import MatchedLine
from clubs.models import Player
from clubs.players import add_players, known_of, take_list
from clubs.roster import RosterLine
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session
from rankings.publication.report import read_report
from registration.people.merging import merge_players, preview_merge, undo_merge
from tests.factories import DATE, make_director, make_tournament, published_session
from tournaments.errors import ActionRefused
from tournaments.models import Entrant

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return make_director(make_tournament().club)


@pytest.fixture
def session(by):
    return published_session(by.memberships.get().club.tournaments.get(), by=by)


@pytest.fixture
def club(session):
    return session.tournament.club


@pytest.fixture
def gone(session):
    """Return a player who has played in a published session."""
    player = session.entrants.get(line="N", number=1).player
    Player.objects.filter(pk=player.pk).update(licence="123456", country="France")
    player.refresh_from_db()
    return player


@pytest.fixture
def kept(club):
    (player,) = add_players(club=club, lines=[RosterLine("Vrai-Nom", "Zoé")])
    return player


def merge(club, kept, gone, by):
    return merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=by, now=timezone.now())


def undo(club, made, by):
    return undo_merge(club=club, merge_id=made.pk, by=by, now=timezone.now())


def names(session):
    report = read_report(session.publications.get().data)
    return {player.name for player in report.players}


@pytest.mark.nightly("story")
def test_all_that_refers_to_the_one_follows_the_other(club, session, kept, gone, by):
    told = preview_merge(kept, gone)
    assert (told.sessions, told.publications, told.gained) == (1, 1, {"licence": "123456", "country": "France"})
    digest, version = session.publications.get().digest, club.names_version
    merge(club, kept, gone, by)
    kept.refresh_from_db()
    assert (kept.licence, kept.country) == ("123456", "France")
    assert session.entrants.get(line="N", number=1).player == kept
    assert session.publications.get().people.filter(player=kept).count() == 1
    assert session.publications.get().digest == digest
    assert "Zoé Vrai-Nom" in names(session)
    assert gone.name not in names(session)
    club.refresh_from_db()
    assert club.names_version > version
    assert gone.pk not in club.players.keep_listed().values_list("pk", flat=True)
    assert find_referring_rows(gone)["clubs.Player.merged_into"] == []


def test_undoing_restores_everything(club, session, kept, gone, by):
    before = (
        find_referring_rows(kept),
        find_referring_rows(gone),
        list(Player.objects.order_by("pk").values()),
        names(session),
    )
    made = merge(club, kept, gone, by)
    for _time in range(2):
        undo(club, made, by)
        assert (
            find_referring_rows(kept),
            find_referring_rows(gone),
            list(Player.objects.order_by("pk").values()),
            names(session),
        ) == before


def test_merge_made_twice_is_one(club, kept, gone, by):
    assert merge(club, kept, gone, by) == merge(club, kept, gone, by)


def test_two_who_sat_in_one_session_stay_two(club, session, gone, by):
    other = session.entrants.get(line="S", number=2).player
    with pytest.raises(ActionRefused) as refused:
        merge(club, other, gone, by)
    assert refused.value.code == "players_met"


def test_stand_in_has_sat_there_too(club, session, kept, gone, by):
    session.entrants.filter(line="S", number=2).update(stand_in=kept, stand_in_from=2)
    with pytest.raises(ActionRefused) as refused:
        merge(club, kept, gone, by)
    assert refused.value.code == "players_met"


def test_stand_in_follows(club, session, kept, by):
    (stood,) = add_players(club=club, lines=[RosterLine("Doublure", "")])
    session.entrants.filter(line="S", number=2).update(stand_in=stood, stand_in_from=2)
    merge(club, kept, stood, by)
    assert Entrant.objects.get(stand_in__isnull=False).stand_in == kept


@pytest.mark.nightly("story")
def test_merge_is_undone_until_something_new_rests_on_it(club, kept, gone, by):
    made = merge(club, kept, gone, by)
    session = create_session(tournament=club.tournaments.get(), date=DATE)
    seat_players(session_id=session.pk, player_ids=[kept.pk])
    with pytest.raises(ActionRefused) as refused:
        undo(club, made, by)
    assert refused.value.code == "merge_rested_on"
    session.entrants.all().delete()
    undo(club, made, by)
    gone.refresh_from_db()
    assert gone.merged_into is None


@pytest.mark.nightly("story")
def test_merges_are_undone_in_turn(club, kept, gone, by):
    (third,) = add_players(club=club, lines=[RosterLine("Troisième", "")])
    first = merge(club, kept, gone, by)
    second = merge(club, third, kept, by)
    gone.refresh_from_db()
    assert gone.merged_into == third
    with pytest.raises(ActionRefused):
        undo(club, first, by)
    undo(club, second, by)
    undo(club, first, by)
    gone.refresh_from_db()
    assert gone.merged_into is None
    assert gone.licence == "123456"


def test_name_of_who_is_gone_is_known_from_then_on(club, kept, gone, by):
    merge(club, kept, gone, by)
    assert {known.id for known in known_of(club) if known.last_name == gone.last_name} == {kept.pk}
    line = RosterLine(gone.last_name, gone.first_name)
    assert take_list(club=club, taken=[MatchedLine(line)]) == [kept]
    assert add_players(club=club, lines=[line]) == [kept]


def test_who_has_been_merged_is_seated_no_more(club, kept, gone, by):
    merge(club, kept, gone, by)
    session = create_session(tournament=club.tournaments.get(), date=DATE)
    with pytest.raises(ActionRefused) as refused:
        seat_players(session_id=session.pk, player_ids=[gone.pk])
    assert refused.value.code == "player_unknown"


def test_player_merged_with_himself_is_refused(club, kept, by):
    with pytest.raises(ActionRefused) as refused:
        merge(club, kept, kept, by)
    assert refused.value.code == "merge_of_one"
