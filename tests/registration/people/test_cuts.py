"""The cut between two rounds: the list of the next session, withdrawals, a newer ranking, undoing, the pages."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import override

from clubs.models import Visibility
from pages.doors import session_url
from pages.registration import cut as cut_page
from rankings.events.publishing import TOURNAMENTS
from registration.errors import RegistrationRefused
from registration.people.applicants import NewApplicant
from registration.people.cuts import (
    CutGiven,
    change_cut_player,
    fill_session_cut,
    find_cut_change,
    list_cut,
    list_sources,
    make_session_cut,
    show_session_cut,
    undo_session_cut,
)
from registration.people.registration import walk_in
from registration.people.seats import seat_present
from tests.factories import draft_session, make_director, make_tournament
from tests.pages.browsing import browser_of
from tests.rankings.events.several import published_sessions
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Cut, Publication, Session
from tournaments.rules.cut import CutTies
from tournaments.versions import DirectorWord


@pytest.fixture
def round_two(db):
    tournament = make_tournament()
    by = make_director(tournament.club)
    first = published_sessions(tournament, by=by, count=2, tables=5)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by=by, now=timezone.now()))
    session = draft_session(tournament)
    session.by, session.first = by, first
    return session


def make(session, places=8, **given):
    key = given.pop("source", None) or list_sources(session)[0].key
    told = {"session_id": session.pk, "by": session.by, "now": timezone.now()}
    return make_session_cut(given=CutGiven(key, places, **given), **told)


def act(service, session, **more):
    return service(session_id=session.pk, by=session.by, now=timezone.now(), **more)


def qualified(session):
    rows = Applicant.objects.filter(session=session, withdrawn_at=None).exclude(cut_rank=None)
    return list(rows.order_by("cut_rank", "pk").values_list("player_id", flat=True))


def test_cut_puts_the_best_of_the_published_ranking_on_the_list(round_two):
    cut = make(round_two, 8, ties=CutTies.DRAW)
    ranking = cut.tournament_publication.data["players"]
    ranks = {row["player"]: row["rank"] for row in ranking}
    assert len(qualified(round_two)) == 8
    assert max(ranks[pk] for pk in qualified(round_two)) <= 8
    assert Session.objects.get(pk=round_two.pk).level == 1
    assert round_two.log.get(action="cut_made").params == {"count": 8, "places": 8}


def test_same_request_twice_makes_one_cut_and_another_one_is_refused(round_two):
    first = make(round_two)
    assert make(round_two).pk == first.pk
    assert round_two.log.filter(action="cut_made").count() == 1
    with pytest.raises(RegistrationRefused) as refusal:
        make(round_two, 9)
    assert refusal.value.code == "cut_made_already"
    assert Cut.objects.count() == 1


def test_next_player_moves_up_for_a_withdrawal_and_stays_when_the_player_comes_back(round_two):
    make(round_two, 4, ties=CutTies.DRAW)
    gone = qualified(round_two)[0]
    act(change_cut_player, round_two, player_id=gone, comes=False)
    assert act(fill_session_cut, round_two) == 1
    assert act(fill_session_cut, round_two) == 0
    states = [each.state for each in list_cut(round_two, Cut.objects.get())[:5]]
    assert sorted(states) == ["in", "in", "in", "moved_up", "withdrawn"]
    act(change_cut_player, round_two, player_id=gone, comes=True)
    assert len(qualified(round_two)) == 5
    assert act(fill_session_cut, round_two) == 0


def test_undone_cut_leaves_people_who_signed_up_themselves(round_two):
    make(round_two, 3)
    player = Applicant.objects.filter(session=round_two).first().player
    act(undo_session_cut, round_two)
    asked = NewApplicant(player.last_name, player.first_name, player.licence)
    own = walk_in(session_id=round_two.pk, asked=asked, by=round_two.by, now=timezone.now(), player=player)
    make(round_two, 3)
    own.refresh_from_db()
    assert own.cut_rank is not None
    act(undo_session_cut, round_two)
    assert list(Applicant.objects.filter(session=round_two).values_list("pk", "cut_rank")) == [(own.pk, None)]
    assert Session.objects.get(pk=round_two.pk).level == 0
    assert not Cut.objects.exists()


def test_players_who_are_here_get_seats_and_lose_them_with_the_cut(round_two):
    round_two.entrants.all().delete()
    make(round_two, 8, here=True, ties=CutTies.DRAW)
    entrants = seat_present(session_id=round_two.pk, answers={}, by=round_two.by, now=timezone.now())
    assert {each.player_id for each in entrants} == set(qualified(round_two))
    act(undo_session_cut, round_two)
    assert round_two.entrants.count() == 0


def test_started_session_keeps_its_cut(round_two):
    make(round_two)
    Session.objects.filter(pk=round_two.pk).update(status="running", deal_set=round_two.first[0].deal_set)
    with pytest.raises(Exception, match="session_started"):
        act(undo_session_cut, round_two)


def test_more_places_than_players_takes_all_ranked(round_two):
    cut = make(round_two, 400)
    ranked = [row for row in cut.tournament_publication.data["players"] if row["rank"] is not None]
    assert len(qualified(round_two)) == len(ranked)


def test_newer_version_shows_the_difference_and_moves_nobody(round_two):
    source = next(each for each in list_sources(round_two) if each.session == 2)
    cut = make(round_two, 1, source=source.key)
    before = qualified(round_two)
    data = dict(source.ranking.data)
    players = [dict(row) for row in data["players"]]
    best = next(row for row in players if row["rank_alterne"] == 1)
    best["rank_alterne"] = 99
    newer = Publication.objects.get(pk=source.ranking.pk)
    newer.pk, newer.version, newer.data = None, newer.version + 1, data | {"players": players}
    newer.save()
    change = find_cut_change(round_two, cut)
    assert change.version == newer.version
    assert [player.pk for player in change.go_out] == [best["player"]]
    assert list(change.come_in) == []
    assert qualified(round_two) == before
    with pytest.raises(RegistrationRefused) as refusal:
        make(round_two, 1, source=source.key)
    assert refusal.value.code == "cut_ranking_changed"


def test_withdrawn_version_is_told_and_offered_no_longer(round_two):
    cut = make(round_two, 2)
    newer = cut.tournament_publication
    newer.pk, newer.version, newer.status, newer.reason = None, newer.version + 1, "withdrawn", "erreur"
    newer.save()
    assert find_cut_change(round_two, Cut.objects.get()).withdrawn
    assert all(each.session for each in list_sources(round_two))


def test_consolation_takes_those_who_are_out(round_two):
    cut = make(round_two, 8, ties=CutTies.DRAW)
    other = draft_session(make_tournament(round_two.tournament.club, name="Consolante"))
    other.by = round_two.by
    given = CutGiven("", 400, out_of=cut.pk)
    make_session_cut(session_id=other.pk, given=given, by=round_two.by, now=timezone.now())
    assert set(qualified(other)).isdisjoint(qualified(round_two))
    ranked = [row for row in cut.tournament_publication.data["players"] if row["rank"] is not None]
    assert len(qualified(other)) == len(ranked) - 8
    assert Session.objects.get(pk=other.pk).level == 0
    with pytest.raises(ActionRefused, match="cut_has_consolation"):
        act(undo_session_cut, round_two)


def test_everybody_sees_the_shown_qualified_and_hidden_persons_stay_unnamed(round_two):
    make(round_two, 4)
    hidden, shown = [each.player for each in Applicant.objects.filter(session=round_two)[:2]]
    hidden.person.shown = Visibility.HIDDEN
    hidden.person.save()
    page = session_url("sign_up", round_two)
    assert shown.last_name not in browser_of().get(page).content.decode()
    act(show_session_cut, round_two)
    text = browser_of().get(page).content.decode()
    assert shown.last_name in text
    assert hidden.last_name not in text


@pytest.mark.guard("a cut is previewed, made and undone")
def test_page_previews_makes_and_undoes_the_cut(round_two):
    browser, page = browser_of(round_two.by), session_url("cut", round_two)
    key = list_sources(round_two)[0].key
    given = {"source": key, "places": "4", "ties": "all"}
    preview = browser.get(page, given)
    assert preview.context["on"] >= 4
    assert not Cut.objects.exists()
    refused = browser.post(page, given | {"action": "make", "places": "0"})
    assert refused.context["form"].errors["places"]
    browser.post(page, given | {"action": "make"})
    assert len(browser.get(page).context["lines"]) == 20
    browser.post(page, {"action": "leaves", "player": qualified(round_two)[0]})
    browser.post(page, {"action": "fill"})
    browser.post(page, {"action": "undo"})
    assert not Cut.objects.exists()


def test_page_takes_as_many_queries_for_more_players(round_two, django_assert_max_num_queries):
    make(round_two, 4)
    browser = browser_of(round_two.by)
    with django_assert_max_num_queries(22):
        browser.get(session_url("cut", round_two))


def test_only_the_button_to_undo_undoes_a_cut(monkeypatch, rf):
    done = []
    for name in ("undo_session_cut", "change_cut_player"):
        monkeypatch.setattr(cut_page, name, lambda name=name, **_given: done.append(name))
    monkeypatch.setattr(cut_page, "messages", SimpleNamespace(success=lambda _request, told: done.append(str(told))))
    monkeypatch.setattr(cut_page, "signed", lambda _request: {})
    for action in ("undo", "leaves"):
        request = rf.post("/", {"action": action, "player": "7"}, headers={"accept-language": "en"})
        with override("en"):
            cut_page.change_cut(request, Session(pk=1))
    assert done == ["undo_session_cut", "The cut is undone.", "change_cut_player"]


@pytest.mark.parametrize(("applicant", "told"), [(None, "next to move up"), (True, "moves up")])
def test_player_who_would_move_up_is_not_told_to_have_moved(applicant, told):
    place = SimpleNamespace(rank=9, is_equal=False)
    line = SimpleNamespace(state="moved_up", line=place, player="Zoé", applicant=applicant)
    with override("en"):
        page = render_to_string("cut/_list.html", {"lines": [line], "cut": True})
    assert strip_tags(page).split("Zoé")[1].strip() == told
