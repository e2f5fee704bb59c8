"""A published event of quadrettes as an archive, in another club, in the export of a member, and after an erasure."""

import io
import json
import zipfile

import pytest
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator

from archives.privacy.erasing import erase
from archives.privacy.export import write_export
from archives.privacy.whom import whom_of_player
from clubs.models import Visibility
from clubs.shown import choose_shown
from evenings.requests.links import ensure_member_links
from evenings.standings.computing import compute
from evenings.teams.naming import read_public_names
from pages.doors import session_url
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from registration.people.merging import merge_players
from tests.archives.archive.far import counting_from_afar, find_far
from tests.archives.archive.packed import bring, export, read_texts
from tests.archives.archive.schema import SCHEMA
from tests.evenings.requests.world import visit
from tests.evenings.teams.quadrettes.event import QuadrettesEvent
from tests.factories import make_club, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import LineUp, Team, TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


class PublishedQuadrettes(QuadrettesEvent):
    """The event with its published sessions and ranking, its archive, and the tournament that came from it."""

    def __init__(self):
        with counting_from_afar():
            super().__init__()
            for session in self.sessions:
                publish(session, by=self.by, allow_missing=True)
            events.refresh(self.tournament.pk, now=timezone.now())
            TOURNAMENTS.publish(self.tournament.pk, DirectorWord(self.by, timezone.now(), ""))
            self.packed = export(self.tournament)
        self.club = make_club("ailleurs", "Club d’ailleurs")
        self.copy = bring(self.packed, self.club)


@pytest.fixture(scope="module")
def event(rows_of_the_file):
    return PublishedQuadrettes()


@pytest.mark.nightly("crawl")
def test_archive_keeps_the_schema_and_comes_back_with_the_same_bytes(event):
    with zipfile.ZipFile(io.BytesIO(event.packed)) as packed:
        files = {path: json.loads(packed.read(path)) for path in packed.namelist()}
    assert [error.message for error in Draft202012Validator(json.loads(SCHEMA.read_text())).iter_errors(files)] == []
    assert (len(files["teams.json"]), len(files["team_members.json"]), len(files["line_ups.json"])) == (6, 25, 2)
    assert find_far(files["line_ups.json"]) == set()
    again = export(event.copy)
    first, second = read_texts(event.packed), read_texts(again)
    assert {path for path in first if first[path] != second[path]} == set()
    assert event.packed == again


@pytest.mark.nightly("story")
def test_imported_event_has_the_line_ups_and_computes_the_same_match_points(event):
    def told(tournament):
        rows = LineUp.objects.filter(session__tournament=tournament).order_by("session__number", "pk")
        names = (f"{seat}__player__last_name" for seat in ("attacker", "in_north", "in_east", "in_west"))
        plays = tournament.sessions.order_by("number", "plays").values_list("plays__badge", "plays__position")
        return [*rows.values_list("session__number", "team__number", *names)], [*plays]

    assert told(event.copy) == told(event.tournament)
    there, here = (each.sessions.order_by("number") for each in (event.tournament, event.copy))
    for one, other in zip(there, here, strict=True):
        names = ("attack", "overall", "penalty", "rank_general")
        figures = [
            [[row[name] for name in names] for row in compute(pk).figures["players"]] for pk in (one.pk, other.pk)
        ]
        assert figures[0] == figures[1]
        assert len({each.publications.get().digest for each in (one, other)}) == 1
    assert len({*TournamentPublication.objects.values_list("digest", flat=True)}) == 1
    for session in here:
        assert " MP" in words(browser_of().get(session_url("ranking", session)))


def files_of(player):
    packed = write_export(whom_of_player(player), told="", now=timezone.now())
    with packed, zipfile.ZipFile(io.BytesIO(packed.read())) as unpacked:
        return {name[:-5]: json.loads(unpacked.read(name)) for name in unpacked.namelist() if name.endswith("json")}


@pytest.mark.nightly("story")
def test_export_of_a_member_has_the_own_line_ups_and_those_of_nobody_else(event):
    team = event.tournament.teams.get(number=1)
    files = files_of(team.members.get(place=3).player)  # the attacker of the first session
    assert [row["team"] for row in files["line_ups"]] == [team.pk]
    assert len(files["teams"]) == 1
    assert {row["team"] for row in files["seats"]} == {team.pk}
    assert "line_ups" not in files_of(event.tournament.teams.get(number=6).members.get(place=1).player)


@pytest.mark.nightly("crawl")
def test_erased_and_hidden_members_have_no_name_on_any_page(event, english):
    team = event.tournament.teams.get(number=1)
    session = event.sessions[0]
    links = ensure_member_links(session, now=timezone.now())
    gone, hidden = team.members.get(place=3).player, team.members.get(place=2).player
    entrant = session.entrants.get(team=team)
    Team.objects.filter(pk=team.pk).update(name=f"Chez {gone.last_name}")
    before = session.publications.get().data
    assert erase(whom_of_player(gone), by=event.by, now=timezone.now())
    choose_shown(player=hidden, shown=Visibility.HIDDEN, way="account", by=None, now=timezone.now())
    team.refresh_from_db()
    assert read_public_names([team]) == {team.pk: "Team 1"}
    assert session.publications.get().data == before
    place = team.members.get(place=3)
    urls = [
        session_url("ranking", session),
        session_url("feuille", session, 1, entrant.pk),
        *(session_url("feuille", session, 1, entrant.pk) + f"?member={number}" for number in range(1, 5)),
        session_url("published_etui", session, 1, 1),
        session_url("published_etuis", session, 1),
        session_url("hall", session),
        reverse("tournament_ranking", args=[event.tournament.club.slug, event.tournament.slug]),
    ]
    for url in urls:
        page = words(browser_of().get(url))
        assert (gone.last_name in page, hidden.last_name in page) == (False, False), url
    assert visit(links[place.pk]).status_code == 404
    mate = visit(links[team.members.get(place=4).pk])
    assert mate.status_code == 200
    assert gone.last_name not in words(mate)


@pytest.mark.nightly("story")
def test_personal_page_of_an_attacker_and_of_a_defender_says_what_each_did(event):
    session = event.sessions[1]
    links = ensure_member_links(session, now=timezone.now())
    team = event.tournament.teams.get(number=2)
    attacker, defender = (team.members.get(place=place) for place in (4, 1))
    pages = [words(visit(links[member.pk])) for member in (attacker, defender)]
    assert all(" MP" in page and "%" not in page for page in pages)
    assert (pages[0].count("you attack"), pages[0].count("you defend")) == (20, 0)
    assert (pages[1].count("you attack"), pages[1].count("you defend")) == (0, 20)
    for page in pages:  # nobody reads of the table at which the team-mates sat
        assert "you were not in the team" not in page
        assert page.count("Position ") == 5


def test_members_of_two_teams_and_of_one_are_not_merged(event):
    one, mate = (event.tournament.teams.get(number=5).members.get(place=place).player for place in (1, 2))
    other = event.tournament.teams.get(number=6).members.get(place=1).player
    for player in (mate, other):
        with pytest.raises(ActionRefused):
            merge_players(
                club=event.tournament.club, kept_id=one.pk, gone_id=player.pk, by=event.by, now=timezone.now()
            )
