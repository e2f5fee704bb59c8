"""The pages on which directors make and change the teams of a tournament."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Club, User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session, create_tournament
from pages.doors import session_url
from pages.prepare.teams.making import list_teams
from pages.prepare.teams.one_team import change_team
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import DATE, make_club, make_director, make_tournament
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Team, Tournament

pytestmark = pytest.mark.django_db
TEXT = "Les Bouts: Zoé Brun; Ada Éluard; Léo Adam\nMax Petit; Ida Roux; Guy Noir"


@pytest.fixture
def tournament() -> Tournament:
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=timezone.now())
    create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)
    return tournament


@pytest.fixture
def browser(tournament) -> Client:
    found = browser_of(make_director(tournament.club))
    found.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    return found


def url_of(tournament: Tournament, team: Team | None = None) -> str:
    url = reverse("prepare_teams", args=[tournament.club.slug, tournament.slug])
    return f"{url}?team={team.pk}" if team else url


def names(team: Team) -> list[str]:
    return [member.player.name for member in team.members.filter(ended_at=None).order_by("place")]


def test_pasted_teams_are_shown_first_and_made_as_shown(tournament, browser):
    url = url_of(tournament)
    assert "Pas encore d’équipe" in words(browser.get(url))
    page = browser.post(url, {"action": "paste", "text": TEXT})
    assert "Guy Noir" in words(page)
    assert page.content.decode().count("Max Petit; Ida Roux; Guy Noir") == 1
    assert "Créer 2 équipes, ajouter 6 joueurs à la liste du club" in words(page)
    assert not Team.objects.exists()
    more = f"{TEXT}\nEva Vert; Jo Bleu; Luc Gris"
    browser.post(url, {"action": "paste", "text": more, "shown": page.context["form"].shown})
    assert not Team.objects.exists()
    assert browser.post(url, {"action": "paste", "text": TEXT, "shown": page.context["form"].shown}).status_code == 302
    assert names(Team.objects.get(number=1)) == ["Léo Adam", "Zoé Brun", "Ada Éluard"]
    page = words(browser.get(url))
    assert "Les Bouts" in page
    assert "Équipe 2" in page
    assert "bleu Léo Adam" in page


def test_wrong_line_says_why_and_keeps_what_was_typed(tournament, browser):
    text = f"{TEXT}\nDeux: Eva Vert; Jo Bleu"
    page = browser.post(url_of(tournament), {"action": "paste", "text": text})
    assert "Ligne 3 de la liste" in words(page)
    assert page.context["form"].data["text"] == text
    assert not page.context["form"].settled
    again = {"action": "paste", "text": text, "shown": page.context["form"].shown}
    assert browser.post(url_of(tournament), again).status_code == 200
    assert not Team.objects.exists()
    assert browser.post(url_of(tournament), {"action": "paste", "text": " "}).context["form"].errors


def test_question_is_answered_and_stays_answered(tournament, browser):
    (known,) = add_players(club=tournament.club, lines=[RosterLine("Lemaire", "Frédérique")])
    text = "Frédérique Lemair; Ada Éluard; Léo Adam"
    page = browser.post(url_of(tournament), {"action": "paste", "text": text})
    key = next(each.name for each in page.context["form"].questions if each.asks)
    given = {"action": "paste", "text": text, key: str(known.pk)}
    page = browser.post(url_of(tournament), given)
    assert page.context["form"].settled
    browser.post(url_of(tournament), given | {"shown": page.context["form"].shown})
    assert Team.objects.get().members.filter(player=known).exists()


def test_order_of_names_is_chosen_and_the_name_of_a_team_is_asked_about(tournament, browser):
    given = {"action": "paste", "text": "Xu Alix; Wu Wei; Li Na; Ma Long", "order": "family"}
    page = browser.post(url_of(tournament), given)
    (group,) = page.context["form"].groups
    assert [choice.note for choice in group.choices] == ["Xu Alix"]
    given |= {group.name: group.checked}
    browser.post(url_of(tournament), given | {"shown": browser.post(url_of(tournament), given).context["form"].shown})
    team = Team.objects.get()
    assert (team.name, names(team)) == ("Xu Alix", ["Na Li", "Long Ma", "Wei Wu"])


def test_incomplete_team_by_hand_waits_and_a_refusal_keeps_the_name(tournament, browser):
    one, two = add_players(club=tournament.club, lines=[RosterLine("Brun", "Zoé"), RosterLine("Adam", "Léo")])
    given = {"action": "make", "name": "Duo", "player": [one.pk, two.pk, ""]}
    assert browser.post(url_of(tournament), given).status_code == 302
    assert "1 équipe attend un joueur" in words(browser.get(url_of(tournament)))
    answer = browser.post(url_of(tournament), given | {"name": "Autre"})
    assert answer.status_code == 409
    assert 'value="Autre"' in answer.content.decode()
    assert "est déjà dans une équipe" in words(answer)


@pytest.mark.parametrize("action", ["add", "replace"])
def test_nobody_is_no_member_of_a_team(rf, action):
    asked = rf.post("/", {"action": action, "member": 3, "player": "", "text": " "})
    asked.user = User()
    with override("en"):
        assert change_team(asked, Tournament(pk=1, club=Club()), Team(pk=2)).errors == [
            "Choose somebody, or write a name."
        ]


@pytest.mark.nightly("story")
def test_team_is_changed_on_its_page(tournament, browser):
    lines = [RosterLine(name, "A") for name in ("Un", "Deux", "Trois", "Quatre")]
    one, two, three, four = add_players(club=tournament.club, lines=lines)
    browser.post(url_of(tournament), {"action": "make", "player": [one.pk, two.pk]})
    team = Team.objects.get()
    url = url_of(tournament, team)
    assert browser.get(url_of(tournament) + "?team=999999").status_code == 404
    for given in (
        {"action": "rename", "name": "Les Bouts"},
        {"action": "number", "number": 7},
        {"action": "add", "player": three.pk},
        {"action": "captain", "player": two.pk},
        {"action": "remove", "player": one.pk},
    ):
        assert browser.post(url, given).status_code == 302, given
    given = {"action": "replace", "member": team.members.get(player=three).pk, "player": four.pk}
    assert browser.post(url, given).status_code == 302
    team.refresh_from_db()
    assert (team.name, team.number, team.captain) == ("Les Bouts", 7, two)
    assert names(team) == ["A Deux", "A Quatre"]
    assert browser.post(url, {"action": "number", "number": "x"}).status_code == 409
    assert browser.post(url, {"action": "fly"}).status_code == 409
    assert browser.post(url, {"action": "dissolve"}).status_code == 302
    assert not Team.objects.exists()


@pytest.mark.nightly("story")
def test_outsider_replaces_a_member_of_a_running_team_and_the_undoing():
    session = start(prepare(make_team_tournament(teams=6), positions=3))
    browser = browser_of(make_director(session.tournament.club))
    team = session.tournament.teams.get(number=1)
    url, member = url_of(session.tournament, team), team.members.get(place=2)
    given = {"action": "replace", "member": member.pk, "text": "Guy LOIN 4567"}
    given |= {"session": session.pk, "position": 2}
    refused = browser.post(url, given)
    assert refused.status_code == 409
    assert 'value="Guy LOIN 4567"' in refused.content.decode()
    assert browser.post(url, given | {"reason": "blessé"}).status_code == 302
    came = team.members.get(ended_at=None, place=2)
    assert (came.player.name, came.player.licence, came.from_position) == ("Guy LOIN", "4567", 2)
    assert came.reason == "blessé"
    assert member.player.name in words(browser.get(url))
    assert browser.post(url, {"action": "undo", "member": came.pk}).status_code == 302
    assert browser.post(url, {"action": "leave", "reason": "malade"}).status_code == 409
    assert team.members.get(ended_at=None, place=2) == member


def test_typed_name_of_a_member_is_asked_about_and_what_was_typed_stays(tournament, browser):
    one, known = add_players(club=tournament.club, lines=[RosterLine("Un", "A"), RosterLine("Lemaire", "Frédérique")])
    browser.post(url_of(tournament), {"action": "make", "player": [one.pk]})
    team = Team.objects.get()
    url, given = url_of(tournament, team), {"action": "add", "text": "Frédérique Lemair"}
    asked = browser.post(url, given)
    assert (asked.status_code, 'value="Frédérique Lemair"' in asked.content.decode()) == (409, True)
    (question,) = asked.context["names"].questions
    assert [choice.value for choice in question.choices] == [str(known.pk), "new", "out"]
    assert browser.post(url, given | {question.name: "out"}).context["names"].errors == ["Écrivez un seul nom."]
    assert browser.post(url, given | {question.name: str(known.pk)}).status_code == 302
    assert browser.post(url, {"action": "add", "text": "Guy LOIN; 4567"}).status_code == 302
    assert names(team) == ["Frédérique Lemaire", "Guy LOIN", "A Un"]


def test_somebody_new_with_the_name_of_two_players_is_neither_of_them(tournament, browser):
    lines = [RosterLine("Un", "A"), RosterLine("Dupont", "Marie", "111"), RosterLine("Dupont", "Marie", "222")]
    one, *known = add_players(club=tournament.club, lines=lines)
    browser.post(url_of(tournament), {"action": "make", "player": [one.pk]})
    team = Team.objects.get()
    url, given = url_of(tournament, team), {"action": "add", "text": "DUPONT Marie"}
    (question,) = browser.post(url, given).context["names"].questions
    assert browser.post(url, given | {question.name: "new"}).status_code == 302
    (new,) = team.members.exclude(player=one)
    assert new.player not in known
    assert (new.player.name, new.player.licence) == ("Marie DUPONT", "")


def test_licence_typed_with_a_known_name_is_kept(tournament, browser):
    one, known = add_players(club=tournament.club, lines=[RosterLine("Un", "A"), RosterLine("Dupont", "Marie")])
    browser.post(url_of(tournament), {"action": "make", "player": [one.pk]})
    team = Team.objects.get()
    assert browser.post(url_of(tournament, team), {"action": "add", "text": "DUPONT Marie; 0012345"}).status_code == 302
    known.refresh_from_db()
    assert (known.licence, team.members.filter(player=known).exists()) == ("0012345", True)


def test_teams_of_last_time_come_by_one_press(tournament, browser):
    last = make_team_tournament("Printemps", teams=2)
    assert last.club_id != tournament.club_id or last.club == tournament.club
    url = url_of(last)
    other = browser_of(make_director(last.club, "autre"))
    new = create_tournament(club=last.club, name="Suite", format="triplettes", now=timezone.now())
    assert "Printemps" in words(other.get(url_of(new)))
    other.post(url_of(new), {"action": "last"})
    assert new.teams.count() == 2
    assert last.teams.count() == 2
    assert other.get(url).status_code == 200


def test_tournament_of_single_players_has_no_teams(browser, tournament):
    other = make_tournament(tournament.club)
    assert "Pas d’équipes ici" in words(browser.get(url_of(other)))


def test_page_asks_the_database_as_often_for_more_teams(django_assert_max_num_queries):
    tournament = make_team_tournament(teams=12)
    browser = browser_of(make_director(tournament.club))
    with django_assert_max_num_queries(16):
        browser.get(url_of(tournament))
    with django_assert_max_num_queries(18):
        browser.get(url_of(tournament, tournament.teams.get(number=2)))


def test_numbers_page_leads_to_the_teams(tournament, browser):
    page = browser.get(session_url("entrants", tournament.sessions.get()))
    assert url_of(tournament) in page.content.decode()


def test_form_of_a_team_has_a_place_for_each_player(tournament):
    assert list(list_teams(tournament)["places"]) == [1, 2, 3]
