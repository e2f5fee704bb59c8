"""The way of a published session of triplettes into an archive, into another club, and into an archive again."""

import io
import json
import zipfile

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator

from archives.errors import ArchiveError
from evenings.plays.entering import correct_result
from evenings.plays.entries import entry_of, name_attacker
from evenings.requests.asking import answer_by_link, ask_correction
from evenings.standings.computing import compute
from pages.doors import session_url
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.report import read_report
from tests.archives.archive.far import counting_from_afar, find_far
from tests.archives.archive.packed import bring, change, export, read_texts
from tests.archives.archive.schema import SCHEMA
from tests.evenings.requests.team_world import TwoTeams
from tests.evenings.requests.world import WRONG
from tests.evenings.teams.playing import play_event
from tests.factories import make_club, make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import CorrectionRequest, PersonalLink, RequestAnswer, ResultEntry, TeamMember
from tournaments.versions import DirectorWord

FIGURES = ("attack", "defence", "overall", "rank_general")


class Event:
    """A published event of triplettes over three sessions, its archive, and the tournament that came from it.

    A substitute plays from the second session on, somebody attacked out of turn, and a member asked for a correction.
    """

    def __init__(self):
        with counting_from_afar():
            self.source, self.sessions, by = play_event()
            self.attack_out_of_turn(self.sessions[0], by)
            for session in self.sessions:
                publish(session, by=by, allow_missing=True)
            self.ask(self.sessions[0])
            events.refresh(self.source.pk, now=timezone.now())
            TOURNAMENTS.publish(self.source.pk, DirectorWord(by, timezone.now(), ""))
            self.packed = export(self.source)
        self.club = make_club("ailleurs", "Club d’ailleurs")
        self.tournament = bring(self.packed, self.club)

    def attack_out_of_turn(self, session, by):
        play = session.plays.select_related("etui", "session__tournament").order_by("pk").first()
        row = play.entries.get(current=True)
        team = play.seats[play.taker].team_id
        other = TeamMember.objects.exclude(place=play.badge).filter(team=team, ended_at=None).first()
        entry = name_attacker(entry_of(row), other.pk)
        correct_result(play_id=play.pk, entry=entry, seen_version=1, reason="ordre", by=by, now=timezone.now())

    def ask(self, session):
        two = TwoTeams.between(session)
        told = {"play_id": two.play.pk, "text": WRONG, "now": timezone.now()}
        asked = ask_correction(link=two.own[0], **told)
        answer_by_link(link=two.others[0], request_id=asked.pk, agrees=True, now=timezone.now())


@pytest.fixture(scope="module")
def event(rows_of_the_file):
    return Event()


def pairs(event):
    """Return the sessions there and here, in pairs."""
    return list(
        zip(event.source.sessions.order_by("number"), event.tournament.sessions.order_by("number"), strict=True)
    )


@pytest.mark.nightly("story")
@pytest.mark.nightly("story")
def test_archive_of_the_imported_tournament_has_the_same_bytes(event):
    again = export(event.tournament)
    first, second = (read_texts(packed) for packed in (event.packed, again))
    assert {path for path in first if first[path] != second[path]} == set()
    assert event.packed == again == export(event.source)


def test_archive_keeps_the_schema_and_has_every_row_of_teams(event):
    with zipfile.ZipFile(io.BytesIO(event.packed)) as packed:
        files = {path: json.loads(packed.read(path)) for path in packed.namelist()}
    checked = Draft202012Validator(json.loads(SCHEMA.read_text()))
    assert [error.message for error in checked.iter_errors(files)] == []
    assert (len(files["teams.json"]), len(files["team_members.json"])) == (8, 25)
    assert [row["member"] is not None for row in (*files["requests.json"], *files["answers.json"])] == [True, True]
    assert sum(row["attacker"] is not None for row in files["entries.json"]) == 1
    assert {path: find_far(files[path]) for path in ("teams.json", "team_members.json", "entrants.json")} == {
        "teams.json": set(),
        "team_members.json": set(),
        "entrants.json": set(),
    }


def test_teams_members_and_attackers_are_those_of_the_source(event):
    def told(tournament):
        members = tournament.team_members.order_by("team__number", "place", "pk")
        columns = "team__number", "team__name", "player__last_name", "place", "from_session__number", "until_position"
        attackers = ResultEntry.objects.filter(play__session__tournament=tournament).exclude(attacker=None)
        asked = CorrectionRequest.objects.filter(play__session__tournament=tournament)
        answers = RequestAnswer.objects.filter(request__in=asked)
        return [
            [*members.values_list(*columns, "replaces__player__last_name", "team__captain__last_name")],
            [*attackers.values_list("attacker__player__last_name", "play__badge", "play__position")],
            [*asked.values_list("member__player__last_name", "text")],
            [*answers.values_list("member__player__last_name", "agrees")],
            [*tournament.sessions.order_by("number", "plays").values_list("plays__badge", "plays__position")],
        ]

    assert told(event.tournament) == told(event.source)
    assert event.tournament.first_badge == event.source.first_badge == 2
    assert event.tournament.teams.filter(captain__club=event.club).count() == 8
    assert PersonalLink.objects.filter(entrant__session__tournament=event.tournament).count() == 0


@pytest.mark.nightly("story")
def test_figures_are_computed_anew_and_equal(event):
    for there, here in pairs(event):
        figures = [
            [
                (row["attack"], row["defence"], row["overall"], row["rank_general"])
                for row in compute(pk).figures["players"]
            ]
            for pk in (there.pk, here.pk)
        ]
        assert figures[0] == figures[1]
        reports = [read_report(one.publications.get().data) for one in (there, here)]
        assert len({one.publications.get().digest for one in (there, here)}) == 1
        rows = [[(row.name, row.team, row.overall) for row in report.players] for report in reports]
        assert rows[0] == rows[1]
        members = [[one.name for row in report.players for one in row.members] for report in reports]
        assert members[0] == members[1]
    totals = [tournament.publications.get() for tournament in (event.source, event.tournament)]
    assert totals[0].digest == totals[1].digest


@pytest.mark.nightly("story")
@pytest.mark.nightly("story")
def test_pages_of_the_imported_version_open(event):
    director = browser_of(make_director(event.club, "ici"))
    for there, here in pairs(event):
        for browser in (browser_of(), director):
            entrant = here.entrants.get(team__number=2)
            pages = [("ranking", ()), ("published_etui", (1, 1)), ("feuille", (1, entrant.pk)), ("session_plan", ())]
            for name, more in pages:
                answer = browser.get(session_url(name, here, *more))
                assert (name, answer.status_code) == (name, 200)
            assert "Les Bouts" in words(browser.get(session_url("ranking", here)))
        assert words(browser_of().get(session_url("ranking", here))).count("Fam") == words(
            browser_of().get(session_url("ranking", there))
        ).count("Fam")


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [("team_members.json", "team", 99), ("requests.json", "member", 99), ("entries.json", "attacker", 9999)],
)
def test_archive_that_names_no_such_member_is_refused(event, path, name, value):
    packed = change(event.packed, path, lambda rows: rows[0].update({name: value}))
    with pytest.raises(ArchiveError):
        bring(packed, make_club(f"encore-{name}", f"Encore {name}"))
