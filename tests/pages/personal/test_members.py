"""The pages of the personal link of a member of a team: the team's results, and the member's own part in them."""

import io
import json
import re
import zipfile

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import ShownWord, Visibility
from evenings.requests.asking import answer_at_table, answer_by_link, ask_correction, withdraw_request
from evenings.requests.reading import requests_of
from pages.doors import session_url
from tests import shared_evenings
from tests.evenings.requests.team_world import TwoTeams, published_triplettes
from tests.evenings.requests.world import WRONG, only, send, visit
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import CalendarLink, RequestAnswer


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_triplettes()


session = shared_evenings.evening_read_with_nothing_cached


@pytest.fixture
def two(session):
    return TwoTeams(session)


def ask(two, link=None, text=WRONG):
    return ask_correction(link=link or two.asker, play_id=two.play.pk, text=text, now=timezone.now())


def plays_of(two, link):
    """Return the page's sentence about each of the team's plays, by the play's id."""
    page = visit(link).content.decode()
    found = re.findall(r'<li id="play-(\d+)">(.*?)</li>', page, re.DOTALL)
    return {int(pk): " ".join(re.sub(r"<[^>]+>", " ", text).split()) for pk, text in found}


def test_page_names_the_member_the_team_and_the_badge(two):
    page = words(visit(two.asker))
    assert two.asker.member.player.name in page
    assert "Les Bouts, blue badge" in page
    for stop in ("Position 1", "Position 2", "Position 3"):
        assert stop in page
    assert page.count("against Team") >= 3
    assert "Rank, général" in page


@pytest.mark.nightly("story")
def test_each_play_says_whether_the_member_attacks_waits_or_defends(two):
    told = {link.member.place: plays_of(two, link) for link in (two.asker, two.came, two.mate)}
    mine = [play for play in two.session.plays.select_related("etui") if two.entrant.pk in play.seat_ids.values()]
    assert {len(each) for each in told.values()} == {len(mine)} == {12}
    for play in mine:
        attacks = play.seat_ids[play.etui.taker] == two.entrant.pk
        for place, texts in told.items():
            if place == 2 and play.position == 1:
                assert "you were not in the team" in texts[play.pk]
            elif attacks and place == play.badge:
                assert "you attack" in texts[play.pk]
            elif attacks:
                assert "attacks, you wait" in texts[play.pk]
            else:
                assert "you defend against Team" in texts[play.pk]


def test_who_left_sees_the_positions_played_and_reports_no_later_one(two):
    texts = plays_of(two, two.left)
    by_position = dict(two.session.plays.values_list("pk", "position"))
    away = {pk for pk, text in texts.items() if "you were not in the team" in text}
    assert {by_position[pk] for pk in away} == {2, 3}
    assert [pk for pk, text in texts.items() if "Report an error" in text and pk in away] == []
    later = next(iter(away))
    assert visit(two.left, "personal_play", later).status_code == 404
    with pytest.raises(ActionRefused) as refusal:
        ask_correction(link=two.left, play_id=later, text=WRONG, now=timezone.now())
    assert refusal.value.code == "request_not_yours"
    assert visit(two.left, "personal_play", two.play.pk).status_code == 200


@pytest.mark.nightly("story")
def test_member_asks_and_the_team_sees_it_but_only_the_asker_withdraws(two):
    assert send(two.asker, "personal_play", two.play.pk, what="taker").status_code == 302
    asked = only()
    assert (asked.entrant, asked.member) == (two.entrant, two.asker.member)
    assert asked.asker == f"{two.asker.member.player.name} (Les Bouts)"
    page = words(visit(two.mate))
    assert f"{two.asker.member.player.name}: The taker is wrong" in page
    assert "Withdraw it" not in page
    assert "Withdraw it" in words(visit(two.asker))
    with pytest.raises(ActionRefused):
        withdraw_request(link=two.mate, request_id=asked.pk, now=timezone.now())
    with pytest.raises(Conflict) as refusal:
        ask(two, two.mate)
    assert refusal.value.params["name"] == asked.asker
    assert ask(two) == asked
    assert send(two.asker, "personal_withdraw", asked.pk).status_code == 302
    assert "withdrawn" in words(visit(two.mate))


@pytest.mark.nightly("story")
def test_the_other_team_answers_once_whoever_of_it_speaks(two):
    asked = ask(two)
    for link in two.others:
        assert "Your answer is needed" in words(visit(link))
    assert send(two.others[0], "personal_answer", asked.pk, agrees="yes").status_code == 302
    assert "You agree" in words(visit(two.others[1]))
    send(two.others[1], "personal_answer", asked.pk, agrees="no")
    assert [(word.entrant, word.member, word.agrees) for word in RequestAnswer.objects.all()] == [
        (two.other, two.others[0].member, True),
        (two.other, two.others[1].member, False),
    ]
    (listed,) = requests_of(two.session, now=timezone.now())
    (voice,) = listed.voices
    assert (voice.entrant, voice.agrees, voice.speaker) == (two.other, False, two.others[1].member.player.name)
    assert "does not agree" in words(visit(two.mate))
    for link in (two.mate, two.stranger, two.asker):
        with pytest.raises(ActionRefused):
            answer_by_link(link=link, request_id=asked.pk, agrees=True, now=timezone.now())


@pytest.mark.parametrize("side", ["N", "E"])
def test_table_answers_for_the_team_that_did_not_ask(two, side):
    asked = ask(two)
    (voice,) = requests_of(two.session, now=timezone.now())[0].voices
    told = {"request_id": asked.pk, "table_id": two.play.table_id, "agrees": True, "device": "Table 1"}
    if side == voice.line:
        assert answer_at_table(**told, seat=side, now=timezone.now()).entrant == two.other
    else:
        with pytest.raises(ActionRefused):
            answer_at_table(**told, seat=side, now=timezone.now())


def test_director_sees_who_asked_and_who_answered(two, client):
    asked = ask(two)
    answer_by_link(link=two.others[0], request_id=asked.pk, agrees=True, now=timezone.now())
    director = browser_of(two.session.tournament.club.memberships.get().user)
    page = words(director.get(session_url("session_request", two.session, asked.pk)))
    assert f"{two.asker.member.player.name} (Les Bouts)" in page
    assert f"({two.others[0].member.player.name})" in page
    assert f"{two.asker.member.player.name} (Les Bouts)" in words(
        director.get(session_url("session_requests", two.session))
    )


def test_other_pages_of_the_link_are_those_of_the_member(two):
    name = two.asker.member.player.name
    for page in ("personal_shown", "personal_data", "personal_calendar", "personal_career"):
        assert name in words(visit(two.asker, page)), page
    send(two.asker, "personal_shown", shown=Visibility.HIDDEN)
    assert ShownWord.objects.get().player == two.asker.member.player
    assert "This link shows only this evening" in words(visit(two.asker, "personal_career"))


def test_calendar_has_the_evenings_of_the_team(two):
    send(two.asker, "personal_calendar", do="make")
    token = CalendarLink.objects.get().token
    file = browser_of().get(reverse("own_calendar_file", args=[token])).content.decode()
    assert two.session.tournament.name in file.replace("\r\n ", "")


@pytest.mark.guard("a member gets the own data")
def test_exported_file_is_that_of_the_member(two):
    with zipfile.ZipFile(io.BytesIO(b"".join(send(two.asker, "personal_data", action="export")))) as packed:
        (row,) = json.loads(packed.read("teams.json"))
        assert len(json.loads(packed.read("personal_links.json"))) == 1
    assert (row["number"], row["team_number"], row["place"]) == (two.asker.member_id, 2, 1)
    assert two.asker.member.player.erasure_asked_at is None
    send(two.asker, "personal_data", action="ask", understood="on")
    two.asker.member.player.refresh_from_db()
    assert two.asker.member.player.erasure_asked_at is not None
    assert two.mate.member.player.erasure_asked_at is None


@pytest.mark.nightly("story")
def test_page_of_links_lists_members_and_renews_one(two):
    director = browser_of(two.session.tournament.club.memberships.get().user)
    page = director.get(session_url("personal_links", two.session))
    text = words(page)
    for link in two.links.values():
        assert f"member-{link.member_id}" in page.content.decode()
        assert link.member.player.listed in text
    told = {"member": two.asker.member_id}
    for name in ("link_renew", "link_revoke"):
        answer = director.post(session_url(name, two.session, two.entrant.pk), told)
        assert answer.url.endswith(f"#member-{two.asker.member_id}")
    assert words(director.get(session_url("personal_links", two.session))).count("link withdrawn") == 1
    assert visit(two.asker).status_code == 410
    assert visit(two.mate).status_code == 200
    director.post(session_url("link_renew", two.session, two.entrant.pk))
    assert "This player is not in the team any more" in words(director.get(session_url("personal_links", two.session)))


def test_name_of_the_other_team_gives_way_to_its_number_if_a_member_is_hidden(two):
    team = two.entrant.team
    team.name = f"Les {two.asker.member.player.last_name}"
    team.save()
    assert team.name in words(visit(two.others[0]))
    send(two.asker, "personal_shown", shown=Visibility.HIDDEN)
    ask(two)
    page = words(visit(two.others[0]))
    assert team.name not in page
    assert two.asker.member.player.last_name not in page
    assert "Team 2 says:" in page
    assert team.name in words(visit(two.mate))


@pytest.mark.nightly("story")
def test_who_left_neither_reads_nor_is_asked_about_later_positions(session):
    later = TwoTeams(session, position=3)
    ask(later, later.others[0], text="La fiche dit +66")
    assert "La fiche dit +66" in words(visit(later.came))
    assert "La fiche dit +66" not in words(visit(later.left))
    withdraw_request(link=later.others[0], request_id=later.play.requests.get().pk, now=timezone.now())
    ask(later, later.came, text="Nous avons +74")
    assert "Nous avons +74" in words(visit(later.mate))
    assert "Nous avons +74" not in words(visit(later.left))


def test_refusal_names_who_asked_before_as_readers_may_read_it(two):
    team, hidden = two.entrant.team, two.asker.member.player
    team.name = f"Les {hidden.last_name}"
    team.save()
    send(two.asker, "personal_shown", shown=Visibility.HIDDEN)
    ask(two)
    with pytest.raises(Conflict) as caught:
        ask(two, two.others[0])
    assert caught.value.params["name"] == "Team 2"
    with pytest.raises(Conflict) as caught:
        ask(two, two.mate)
    assert caught.value.params["name"] == f"{hidden.name} ({team.name})"


def test_pages_take_as_many_queries_as_those_of_single_players(two, django_assert_max_num_queries):
    visit(two.asker)
    with django_assert_max_num_queries(9):
        visit(two.asker)
