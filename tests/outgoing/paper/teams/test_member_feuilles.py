"""The feuille of a member of a team: on pages, on paper and by mail, with the names that readers may see."""

from collections import Counter
from fractions import Fraction

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from clubs.models import ShownWord, Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import choose_shown
from outgoing.mailing.feuilles import send_feuilles
from outgoing.mailing.wishes import want_feuilles
from pages.doors import session_url
from rankings.publication.publishing import switch_parts
from rankings.publication.report import read_report
from rankings.publication.team_feuilles import list_member_feuilles, list_member_figures
from registration.people.merging import merge_players
from tests.factories import make_user
from tests.outgoing.paper.test_pdf import flat, printed
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.codes import group_code
from tournaments.models import PersonalLink, ResultEntry
from tournaments.published import Shows
from tournaments.reports.parts import MemberPart
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def report(session):
    return read_report(session.publications.get().data)


def feuilles_of(evening, report, number):
    return list_member_feuilles(report, report.by_id[evening.entrant(number).pk])


def page_of(evening, number, member=None, browser=None, status=200):
    session = evening.session
    names = [session.tournament.club.slug, session.tournament.slug, session.number, 1, evening.entrant(number).pk]
    answer = (browser or browser_of()).get(reverse("feuille", args=names), {} if member is None else {"member": member})
    assert answer.status_code == status
    return words(answer)


def test_in_each_play_one_attacks_two_wait_and_three_defend(session, evening, report):
    for team in report.players:
        roles = Counter(
            (each.line.play.id, each.part) for mine in list_member_feuilles(report, team) for each in mine.lines
        )
        for line in report.feuille(team.id):
            attacks = line.play.seats[line.etui.taker] == team.id
            found = [roles[line.play.id, role] for role in (MemberPart.ATTACK, MemberPart.WAIT, MemberPart.DEFENCE)]
            assert found == ([1, 2, 0] if attacks else [0, 0, 3])


def test_member_out_of_turn_attacked_and_the_one_whose_turn_it_was_waited(evening, report):
    named = ResultEntry.objects.get(attacker__isnull=False)
    roles = {
        mine.member.player: each.part
        for mine in feuilles_of(evening, report, 2)
        for each in mine.lines
        if each.line.play.id == named.play_id
    }
    assert [who for who, role in roles.items() if role == MemberPart.ATTACK] == [named.attacker.player_id]
    assert list(roles.values()).count(MemberPart.WAIT) == 2


def test_means_are_those_of_the_notes_in_each_role(evening, report):
    for mine in feuilles_of(evening, report, 1):
        for role in (MemberPart.ATTACK, MemberPart.DEFENCE):
            notes = [line.note for line in mine.list_in(role) if line.note is not None]
            assert mine.mean_in(role) == Fraction(sum(notes), len(notes))
    team = report.by_id[evening.entrant(1).pk]
    attacks = [
        line.note
        for mine in feuilles_of(evening, report, 1)
        for line in mine.list_in(MemberPart.ATTACK)
        if line.note is not None
    ]
    assert sum(attacks) / len(attacks) == team.attack


def test_substitute_and_former_member_share_the_evening(evening, report):
    spans = {
        mine.member.name: {each.line.play.position for each in mine.lines} for mine in feuilles_of(evening, report, 4)
    }
    assert spans["Prénom04 Fam204"] == {1, 2}
    assert spans["Éloïse Remplaçante"] == {3, 4, 5}


def test_page_of_a_member_leads_from_the_teams_and_back(evening):
    team = page_of(evening, 4)
    assert "Éloïse Remplaçante" in team
    assert "from position 3" in team
    page = page_of(evening, 4, 3)
    assert "Éloïse Remplaçante" in page
    assert "Badge: white, from position 3." in page
    assert "waits, Prénom04 Fam104 attacks" in page
    assert "Position 1, table" not in page
    assert "Position 3, table" in page
    first = page_of(evening, 4, 2)
    assert "Position 1, table" in first
    assert "Position 3, table" not in first


@pytest.mark.parametrize("member", ["9", "99"])
def test_member_whom_the_team_does_not_have_is_no_page(evening, member):
    page_of(evening, 4, member, status=404)


@pytest.mark.parametrize("member", ["0", "x", "-1", "1x"])
def test_other_texts_in_the_address_show_the_team(evening, member):
    assert "The players of the team" in page_of(evening, 4, member)


def test_member_of_a_player_is_no_page(evening):
    """Ask for a member of a director's live feuille that does not exist, and for one that does."""
    browser = browser_of(evening.director)
    url = session_url("live_feuille", evening.session, evening.entrant(4).pk)
    assert browser.get(url, {"member": "7"}).status_code == 404
    assert "Waited" in words(browser.get(url, {"member": "1"}))


@pytest.mark.nightly("crawl")
def test_hidden_member_has_no_name_on_public_pages_and_papers_but_on_their_own_paper(evening, session):
    member = evening.member(1, 2)
    told = {"by": evening.director, "now": timezone.now()}
    choose_shown(player=member.player, shown=Visibility.HIDDEN, way=ShownWord.WordWay.DIRECTOR, **told)
    for number in (None, 1, 2, 3):
        assert "Fam201" not in page_of(evening, 1, number)
    names = [session.tournament.club.slug, session.tournament.slug, session.number, 1]
    for query in ("", "?by=member"):
        assert "Fam201" not in flat(browser_of().get(reverse("feuilles_pdf", args=names) + query).content)
    url = session_url("prints_pdf", session)
    own = printed(browser_of(evening.director).get(url, {"document": "member_feuilles"}).content)
    text = " ".join(run for page in own for run in page)
    assert text.count("Fam201") == 1  # the name of the owner; all others see the member as in public


@pytest.mark.nightly("print")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_papers_by_member_have_a_page_for_each_with_what_they_did(evening, session, report, language):
    names = [session.tournament.club.slug, session.tournament.slug, session.number, 1]
    reader = browser_of()
    reader.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    text = flat(reader.get(reverse("feuilles_pdf", args=names) + "?by=member").content)
    members = [mine for team in report.players for mine in list_member_feuilles(report, team)]
    words_of = {"fr": ("Feuille de route", "attend, ", "attaque"), "en": ("Feuille de route", "waits, ", "attacks")}[
        language
    ]
    assert text.count(words_of[0]) == len(members)
    waits = sum(len(mine.list_in(MemberPart.WAIT)) for mine in members)
    assert text.count(words_of[1]) == waits
    for word in ("Marie-Élisabeth", "Œillet", "Éloïse"):
        assert word in text


@pytest.mark.nightly("print")
def test_papers_by_member_have_no_rank_if_the_ranking_is_not_shown(evening, session):
    names = [session.tournament.club.slug, session.tournament.slug, session.number, 1]
    url = reverse("feuilles_pdf", args=names) + "?by=member"
    assert "Rank" in flat(browser_of().get(url).content)
    word = DirectorWord(evening.director, timezone.now(), "")
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word)
    assert "Rank" not in flat(browser_of().get(url).content)
    assert "Rank" not in page_of(evening, 1, 1)


def test_who_asked_gets_the_own_members_feuille_by_mail(evening, session, settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    member = evening.member(4, 2)  # the substitute
    user = make_user("eloise")
    EmailAddress.objects.create(user=user, email="eloise@example.org", verified=True, primary=True)
    member.player.account = user
    member.player.save()
    assert want_feuilles(user, now=timezone.now())
    session.publications.update(published_at=timezone.now())
    assert send_feuilles(session.pk, now=timezone.now()) == 1
    (letter,) = mail.outbox
    text = letter.body.replace("\N{NO-BREAK SPACE}", " ")
    assert "Éloïse Remplaçante (Équipe 4)" in text
    assert text.count("Étui ") == 3 * 4
    assert [text.count(word) for word in ("vous attaquez", "vous attendez", "vous défendez")] == [2, 4, 6]
    assert f"/players/{evening.entrant(4).pk}/?member=3" in text
    assert "Fam104" not in text


def test_figures_count_no_annulled_etui(evening, report):
    """Count the deals of all members by their notes alone. The first étui of position 1 was annulled."""
    without = 0
    for team in report.players:
        for mine in list_member_feuilles(report, team):
            for part in (MemberPart.ATTACK, MemberPart.DEFENCE):
                lines = mine.list_in(part)
                counted = [line for line in lines if line.note is not None]
                without += len(lines) - len(counted)
                assert mine.count_in(part) == len(counted)
    assert without >= 4


@pytest.mark.nightly("print")
def test_penalty_of_the_team_stands_on_page_and_paper_of_each_member(evening, session):
    assert "Penalty, already deducted −1.50" in page_of(evening, 1, 1)
    names = [session.tournament.club.slug, session.tournament.slug, session.number, 1]
    text = flat(browser_of().get(reverse("feuilles_pdf", args=names) + "?by=member").content)
    assert text.count("Penalty, already deducted") == 3
    figures = {
        mine.member.player: list_member_figures(mine, ranked=True)
        for mine in feuilles_of(evening, report_of(session), 1)
    }
    assert all(("Penalty, already deducted", "−1.50") in each for each in figures.values())


def report_of(session):
    return read_report(session.publications.get().data)


@pytest.mark.nightly("print")
def test_member_merged_after_the_publication_has_code_and_name_on_paper(evening, session):
    member = evening.member(5, 1)
    (other,) = add_players(club=session.tournament.club, lines=[RosterLine("Gardée", "Odile")])
    told = {"kept_id": other.pk, "gone_id": member.player_id, "by": evening.director, "now": timezone.now()}
    merge_players(club=session.tournament.club, **told)
    document = browser_of(evening.director).get(session_url("prints_pdf", session), {"document": "member_feuilles"})
    text = flat(document.content).replace(" ", "\N{NO-BREAK SPACE}")
    member.refresh_from_db()
    link = PersonalLink.objects.get(member=member)
    assert group_code(link.code) in text
    assert "Odile\N{NO-BREAK SPACE}Gardée" in text
