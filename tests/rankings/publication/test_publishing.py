"""The publication of a session: frozen, dated, with a version; what it shows and what stays secret."""

import pytest
from django.utils import timezone

from deals.domain.dealing import deal_etui
from deals.sets import copy_deal_set, type_cards
from evenings.plans.starting import start_session, unstart_session
from evenings.plays import ruling
from evenings.plays.entering import annul_play, correct_result
from evenings.sessions import setup
from evenings.sessions.setup import use_deal_set
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication.building import build_report
from rankings.publication.publishing import is_due
from rankings.publication.report import read_report
from tests.factories import (
    SEED,
    draft_session,
    enter,
    enter_all,
    garde,
    make_club,
    make_director,
    make_tournament,
    plausible,
    publish,
    published_session,
    started_session,
)
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused
from tournaments.models import Publication, SessionStandings
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(cards=True).pk


def correct_first(session, by):
    play = session.plays.select_related("etui").first()
    return correct_result(
        play_id=play.pk,
        entry=Fiche(play.etui.taker, 200),
        reason="relu",
        seen_version=1,
        by=by,
        now=timezone.now(),
    )


def test_publication_holds_the_standings_of_its_moment(session, director):
    enter_all(session, by=director)
    publication = publish(session, by=director)
    kept = SessionStandings.objects.get(pk=session.pk)
    assert (publication.version, publication.published_by) == (1, director)
    assert publication.results_version == kept.results_version
    assert [(p["id"], p["overall"]) for p in publication.data["players"]] == [
        (p["id"], p["overall"]) for p in kept.data["players"]
    ]


def test_publishing_again_without_a_change_gives_the_same_publication(session, director):
    enter_all(session, by=director)
    assert publish(session, by=director) == publish(session, by=director)
    assert Publication.objects.count() == 1


def test_publishing_after_a_correction_adds_a_version_and_leaves_the_old_one(session, director):
    enter_all(session, by=director)
    first = publish(session, by=director)
    data, digest = first.data, first.digest
    correct_first(session, director)
    second = publish(session, by=director)
    first.refresh_from_db()
    assert (first.version, second.version) == (1, 2)
    assert (first.data, first.digest) == (data, digest)
    assert second.data["etuis"][0]["plays"][0]["base_score"] == 200
    assert second.digest != digest


def test_missing_results_want_a_word(session, director):
    enter(session.plays.select_related("etui").first(), by=director)
    with pytest.raises(ActionRefused) as caught:
        publish(session, by=director)
    assert (caught.value.code, caught.value.params) == ("results_missing", {"missing": 24})
    assert publish(session, by=director, allow_missing=True).data["counts"]["missing"] == 24


@pytest.mark.parametrize(
    ("make", "code"), [(draft_session, "session_not_started"), (started_session, "nothing_to_publish")]
)
def test_nothing_played_is_nothing_to_publish(make, code):
    session = make()
    with pytest.raises(ActionRefused, match=code):
        publish(session, by=make_director(session.tournament.club), allow_missing=True)


def test_cards_are_shown_once_everything_is_played(session, director):
    enter_all(session, by=director)
    cards = {etui.number: etui.cards for etui in session.deal_set.etuis.all()}
    assert {etui["number"]: etui["cards"] for etui in publish(session, by=director).data["etuis"]} == cards


def test_no_card_is_shown_while_results_are_missing(session, director):
    enter_all(session, by=director, plays=session.plays.select_related("etui")[:24])
    publication = publish(session, by=director, allow_missing=True)
    assert {etui["cards"] for etui in publication.data["etuis"]} == {""}


def test_no_card_is_shown_while_another_session_has_still_to_play_the_set(session, director):
    other = draft_session(session.tournament)
    use_deal_set(session_id=other.pk, deal_set=session.deal_set)
    enter_all(session, by=director)
    assert {etui["cards"] for etui in publish(session, by=director).data["etuis"]} == {""}


def test_no_card_is_shown_while_another_club_has_still_to_play_a_copy(session, director):
    other = make_tournament(make_club("autre"))
    copy = copy_deal_set(deal_set=session.deal_set, club=other.club, by=director, now=timezone.now())
    use_deal_set(session_id=draft_session(other).pk, deal_set=copy)
    enter_all(session, by=director)
    assert {etui["cards"] for etui in publish(session, by=director).data["etuis"]} == {""}


@pytest.mark.nightly("story")
def test_cards_that_may_be_shown_later_make_a_new_version(session, director):
    other = draft_session(session.tournament)
    use_deal_set(session_id=other.pk, deal_set=session.deal_set)
    enter_all(session, by=director)
    without = publish(session, by=director)
    assert is_due(session, without, missing=0) is False
    start_session(session_id=other.pk, now=timezone.now())
    enter_all(other, by=director)
    publish(other, by=director)
    session.refresh_from_db()
    assert is_due(session, without, missing=0) is True
    with_cards = publish(session, by=director)
    assert (without.version, with_cards.version) == (1, 2)
    assert "" not in {etui["cards"] for etui in with_cards.data["etuis"]}
    assert is_due(session, with_cards, missing=0) is False


@pytest.mark.nightly("story")
def test_correction_there_and_back_leaves_nothing_to_publish(session, director):
    enter_all(session, by=director)
    last = publish(session, by=director)
    play = session.plays.select_related("etui").first()
    found = []
    for seen, entry in enumerate((Fiche(play.etui.taker, 200), plausible(play)), start=1):
        given = {"reason": "relu", "by": director, "now": timezone.now()}
        correct_result(play_id=play.pk, entry=entry, seen_version=seen, **given)
        session.refresh_from_db()
        assert session.results_version > last.results_version
        page = browser_of(director).get(session_url("session", session))
        found.append((is_due(session, last, missing=0), page.context["publishable"]()))
    assert found == [(True, True), (False, False)]
    assert publish(session, by=director) == last


@pytest.mark.nightly("story")
def test_diagrams_typed_after_the_publication_make_a_new_version():
    session = started_session()
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    publish(session, by=director)
    type_cards(deal_set_id=session.deal_set_id, number=3, cards=deal_etui(SEED, 3).deal)
    shown = {etui["number"] for etui in publish(session, by=director).data["etuis"] if etui["cards"]}
    assert shown == {3}


def test_seed_is_in_no_publication(session, director):
    enter_all(session, by=director)
    assert session.deal_set.seed not in str(publish(session, by=director).data)


@pytest.mark.nightly("story")
def test_feuille_de_route_lists_every_play_of_the_player_in_his_order():
    report = read_report(published_session(tables=5, positions=5, etuis_per_position=4).publications.get().data)
    player = report.players[0]
    feuille = report.feuille(player.id)
    assert [line.play.position for line in feuille] == sorted([*range(1, 6)] * 4)
    assert len({line.etui.number for line in feuille}) == 20
    attack = [line.note for line in feuille if line.play.taker == player.line]
    defence = [line.note for line in feuille if line.play.taker != player.line]
    assert (sum(attack) / len(attack), sum(defence) / len(defence)) == (player.attack, player.defence)
    assert all(sum(line.play.marks.values()) == 0 for line in feuille)


def test_topage_is_read_from_best_to_worst_with_uncounted_plays_last(session, director):
    enter_all(session, by=director)
    annul_play(play_id=session.plays.filter(etui__number=1).first().pk, reason="x", by=director, now=timezone.now())
    report = read_report(publish(session, by=director).data)
    plays = report.topage(report.etui(1))
    scores = [play.base_score for play in plays]
    assert scores[:-1] == sorted(scores[:-1], reverse=True)
    assert (scores[-1], plays[-1].state) == (None, "annulled")


@pytest.mark.nightly("story")
def test_alterne_lists_the_firsts_of_the_lines_before_the_seconds():
    report = read_report(published_session().publications.get().data)
    groups = [player.rank_line for player in report.ranking.order("alterne")]
    assert groups == sorted(groups)
    assert [player.rank_alterne for player in report.ranking.order("alterne")] == sorted(
        p.rank_alterne for p in report.players
    )


@pytest.mark.nightly("story")
def test_unknown_player_and_etui_are_none():
    report = read_report(published_session().publications.get().data)
    assert (report.player(0), report.etui(99)) == (None, None)


def test_live_report_shows_no_facts_beside_a_score_they_do_not_give(session, director):
    play = session.plays.select_related("etui").first()
    enter(play, garde(play.etui.taker, points=49), by=director)
    older = computing.compute(session.pk).data
    correct_result(
        play_id=play.pk,
        entry=garde(play.etui.taker, points=30),
        reason="relu",
        seen_version=1,
        by=director,
        now=timezone.now(),
    )
    newer = computing.compute(session.pk).data
    shown = [build_report(session, data)["etuis"][0]["plays"][0]["facts"] for data in (older, newer)]
    assert (shown[0], shown[1]["half_points"]) == (None, 60)


@pytest.mark.nightly("story")
def test_director_who_plays_does_not_lift_his_own_veil_by_publishing(session, director):
    plays = list(session.plays.select_related("etui"))
    for play in plays[1:]:
        enter(play, garde(play.etui.taker), by=director)
    word = {"session_id": session.pk, "by": director, "now": timezone.now()}
    ruling.declare_playing(entrant_id=plays[0].north_id, **word)
    with pytest.raises(ActionRefused, match="publisher_still_plays"):
        publish(session, by=director, allow_missing=True)
    assert not session.publications.exists()
    assert publish(session, by=make_director(session.tournament.club, "autre"), allow_missing=True).version == 1


@pytest.mark.nightly("story")
def test_director_who_plays_publishes_once_all_is_played_or_the_veil_is_lifted(session, director):
    plays = list(session.plays.select_related("etui"))
    for play in plays[1:]:
        enter(play, garde(play.etui.taker), by=director)
    word = {"session_id": session.pk, "by": director, "now": timezone.now()}
    ruling.declare_playing(entrant_id=plays[0].north_id, **word)
    ruling.lift_hiding(**word)
    assert publish(session, by=director, allow_missing=True).version == 1
    ruling.declare_playing(entrant_id=plays[0].north_id, **word)
    enter(plays[0], garde(plays[0].etui.taker), by=director)
    assert publish(session, by=director).version == 2


@pytest.mark.nightly("story")
def test_start_its_taking_back_edits_and_publications_are_logged_once_each():
    session, now = draft_session(), timezone.now()
    director = make_director(session.tournament.club)
    setup.edit_session(session_id=session.pk, by=director, now=now, date=session.date, minutes_per_etui=8)
    for _time in range(2):
        start_session(session_id=session.pk, by=director, now=now)
    for _time in range(2):
        unstart_session(session_id=session.pk, by=director, now=now)
    start_session(session_id=session.pk, by=director, now=now)
    enter_all(session, by=director)
    for _time in range(2):
        publish(session, by=director)
    told = session.log.filter(author=director).exclude(action="entered").order_by("id").values_list("action", "params")
    assert list(told) == [
        ("edited", {"setting": "minutes_per_etui", "before": "9", "after": "8"}),
        ("started", {}),
        ("start_taken_back", {}),
        ("started", {}),
        ("published", {"version": 1, "missing": 0}),
        ("session_closed", {}),
    ]
