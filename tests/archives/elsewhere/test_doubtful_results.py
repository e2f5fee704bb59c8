"""The results of another site: players with namesakes, guest clubs that get roles, étuis for three or five players."""

import re

import pytest
from django.utils import timezone
from msgspec import structs

from archives.elsewhere.sealed_file import draw_key, read_sealed_file, write_sealed_file
from clubs.models import Player
from deals.domain.dealing import commitment, deal_etui
from deals.domain.exchange import EtuiSet, NumberedEtui
from deals.domain.profile import name_profile_seats
from evenings.plays.entering import annul_play
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.setup import RulingGiven, rule_for_all
from rankings.simultaneous.writing import SimultaneousRefused
from tests.archives.archive.packed import export
from tests.archives.elsewhere.test_sealed_file import ABOUT, SEED, make_set
from tests.archives.elsewhere.test_sites import (
    bring,
    do_jobs,
    organiser_of,
    play_elsewhere,
    post_results,
    receive,
    refusal,
    send,
)
from tests.factories import make_club, make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.simultaneous.world import make_simultaneous
from tournaments.models import Session, SimultaneousClub
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def simultaneous():
    return make_simultaneous()


@pytest.fixture
def far_club():
    return make_club("ailleurs", "Tarot Club d’Ailleurs")


@pytest.fixture
def far(far_club):
    return make_director(far_club, "directrice d’ailleurs")


@pytest.fixture
def twice(simultaneous, far_club, far):
    """Return a tournament with two players of one name, which came in once. Since then one has lost the licence."""
    tournament = play_elsewhere(simultaneous, far_club, far)
    one, two = tournament.sessions.get().entrants.order_by("pk")[:2]
    Player.objects.filter(pk=one.player_id).update(licence="100001")
    names = {"first_name": one.player.first_name, "last_name": one.player.last_name}
    Player.objects.filter(pk=two.player_id).update(**names, licence="100002")
    bring(simultaneous, tournament)
    Player.objects.filter(pk=two.player_id).update(licence="")
    annul_play(play_id=tournament.sessions.get().plays.first().pk, reason="mêlé", by=far, now=timezone.now())
    publish(tournament.sessions.get(), by=far)
    return tournament


@pytest.mark.nightly("story")
def test_page_asks_who_namesakes_of_an_archive_are(simultaneous, twice):
    before = Session.objects.count(), Player.objects.count()
    page = browser_of(organiser_of(simultaneous))
    _waiting, asked = post_results(page, simultaneous, export(twice))
    where, text = asked.request["PATH_INFO"], asked.content.decode()
    assert "Say below who these players are" in words(asked)
    assert (Session.objects.count(), Player.objects.count()) == before
    (row,) = set(re.findall(r'name="(row-\d+)"', text))
    guest = SimultaneousClub.objects.get(simultaneous=simultaneous).club
    namesakes = re.findall(rf'name="{row}"\s+value="(\d+)"', text)
    assert len(namesakes) == 2
    assert "names nobody on the club’s list" in words(answer_questions(page, where, **{row: "9999999"}))
    without = next(pk for pk in namesakes if guest.players.get(pk=pk).licence == "100002")
    done = answer_questions(page, where, **{row: without})
    assert "The results of Tarot Club du Loin are there" in words(done)
    assert (Session.objects.count(), Player.objects.count()) == (before[0] + 1, before[1])


def answer_questions(page, where, **answers):
    """Answer the questions of an archive on its page of progress, let the job run, and return the page."""
    page.post(where, answers)
    do_jobs()
    return page.get(where)


@pytest.mark.nightly("story")
def test_namesake_may_be_somebody_new(simultaneous, twice):
    before = Player.objects.count()
    page = browser_of(organiser_of(simultaneous))
    _waiting, asked = post_results(page, simultaneous, export(twice))
    (row,) = set(re.findall(r'name="(row-\d+)"', asked.content.decode()))
    answer_questions(page, asked.request["PATH_INFO"], **{row: "new"})
    assert Player.objects.count() == before + 1


@pytest.mark.nightly("story")
def test_guest_stays_a_guest_when_somebody_gets_a_role_in_its_club(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    first = bring(simultaneous, tournament)
    row = SimultaneousClub.objects.get(simultaneous=simultaneous)
    assert row.is_elsewhere
    make_director(row.club, "administratrice")
    annul_play(play_id=tournament.sessions.get().plays.first().pk, reason="mêlé", by=far, now=timezone.now())
    publish(tournament.sessions.get(), by=far)
    assert bring(simultaneous, tournament).pk != first.pk
    page = browser_of(organiser_of(simultaneous))
    sites = page.get(f"/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/sites/")
    assert "Tarot Club du Loin" in words(sites)


@pytest.mark.parametrize("players", [3, 5])
def test_sealed_étuis_for_another_number_of_players_are_refused(players):
    etuis = tuple(
        NumberedEtui(number, *name_profile_seats("", number, players), deal_etui(SEED, number, players).deal)
        for number in (1, 2)
    )
    sealed = EtuiSet(players, etuis, seed=SEED.hex(), commitment=commitment(SEED, players, "", ""))
    assert refusal(read_sealed_file, content=write_sealed_file(ABOUT, sealed, draw_key())) == "sealed_players"


@pytest.mark.nightly("story")
def test_results_do_not_count_twice_under_two_names(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    first = bring(simultaneous, tournament)
    told = {"simultaneous": simultaneous, "tournament": tournament, "name": "Autre nom"}
    assert refusal(bring, **told) == "results_counted"
    assert SimultaneousClub.objects.get(simultaneous=simultaneous).session == first


def test_page_links_to_no_script_of_a_sealed_file():
    content = write_sealed_file(structs.replace(ABOUT, address="javascript:alert(1)"), make_set(), draw_key())
    assert read_sealed_file(content).about.address == ""
    assert read_sealed_file(write_sealed_file(ABOUT, make_set(), draw_key())).about.address == ABOUT.address


def test_club_that_received_a_simultaneous_publishes_and_rules_nothing(simultaneous, far_club, far):
    received = receive(far_club, send(simultaneous), far)
    word = DirectorWord(far, timezone.now())
    ruling = RulingGiven(etui=1, kind="annulled", reason="x")
    for work in (
        lambda: FIELDS.publish(received.pk, word),
        lambda: rule_for_all(simultaneous_id=received.pk, given=ruling, by=far, now=timezone.now()),
    ):
        with pytest.raises(SimultaneousRefused) as refused:
            work()
        assert refused.value.code == "simultaneous_elsewhere"
