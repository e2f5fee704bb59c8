"""The copies of a master: no card before the opening hour, one session a club, and all open at the public hour."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from deals.copies import make_copy, make_master, may_read_cards, read_etuis
from deals.errors import DealSetRefused
from deals.models import DealLook, DealSet, Etui
from deals.sets import add_etuis, copy_deal_set, create_deal_set, create_set_dealt_at_table
from evenings.plans.deal_sets import give_up_copy, reveal_seed, still_to_play
from evenings.plans.starting import start_session
from evenings.sessions.put_away import delete_session, put_session_away, put_tournament_away
from evenings.sessions.setup import use_deal_set
from jobs.tasks import sweep_publications
from rankings.publication.publishing import publishable_cards
from rankings.simultaneous.hours import open_all_due
from rankings.simultaneous.membership import take_out_of_simultaneous
from tests.factories import draft_session, enter_all, make_club, make_director, make_tournament, publish
from tests.pages.browsing import browser_of
from tests.rankings.simultaneous.world import HOUR, director_of, draft_of, join_club, make_simultaneous
from tournaments.errors import ActionRefused
from tournaments.models import Session, Simultaneous

pytestmark = pytest.mark.django_db


def refusal(error, work, **given):
    with pytest.raises(error) as refused:
        work(**given)
    return refused.value.code


def cards_in(deal_set):
    return set(Etui.objects.filter(deal_set=deal_set).values_list("cards", flat=True))


def test_copy_has_takers_and_dealers_and_no_card():
    simultaneous = make_simultaneous()
    copy = join_club(simultaneous, "besancon").deal_set
    told = ("number", "taker", "dealer")
    assert list(copy.etuis.values_list(*told)) == list(simultaneous.deal_set.etuis.values_list(*told))
    assert (cards_in(copy), copy.seed, copy.commitment) == ({""}, "", simultaneous.deal_set.commitment)


@pytest.mark.parametrize(("opens_in", "known"), [(1, False), (-1, True)])
def test_cards_are_read_through_the_master_from_the_opening_hour(opens_in, known):
    simultaneous = make_simultaneous(opens_in=opens_in)
    copy = join_club(simultaneous, "besancon").deal_set
    now = timezone.now()
    assert may_read_cards(copy, now) is known
    assert may_read_cards(simultaneous.deal_set, now)
    dealt = [etui.cards for etui in read_etuis(simultaneous.deal_set, now)]
    assert [etui.cards for etui in read_etuis(copy, now)] == (dealt if known else [""] * 5)
    assert cards_in(copy) == {""}


def test_pages_of_the_set_show_cards_from_the_opening_hour_and_log_each_look():
    simultaneous = make_simultaneous(opens_in=1)
    row = join_club(simultaneous, "besancon")
    page, url = browser_of(director_of(row)), f"/clubs/besancon/etuis/{row.deal_set.pk}/"
    hand = simultaneous.deal_set.etuis.first().cards.split()[0]

    def read_all():
        pages = [
            page.post(f"{url}cards/", {"from": 1}),
            page.post(f"{url}export.txt"),
            page.post(f"{url}export.json", {"seed": "1"}),
        ]
        texts = [answer.content.decode() for answer in pages]
        return [hand in text or "data-suit" in text for text in texts], texts

    shown, texts = read_all()
    assert shown == [False, False, False]
    DealSet.objects.update(opens_at=timezone.now() - HOUR)
    shown, texts = read_all()
    assert shown[1:] == [True, True]
    assert simultaneous.deal_set.seed not in "".join(texts)
    looks = DealLook.objects.filter(deal_set=row.deal_set).values_list("user__username", "kind")
    assert ("director besancon", "seen") in looks
    assert not DealLook.objects.filter(deal_set=simultaneous.deal_set).exists()
    assert page.post(f"{url}statistics/").status_code == 200


@pytest.mark.nightly("story")
def test_club_plays_its_copy_in_one_session():
    row = join_club(make_simultaneous(), "besancon")
    session = draft_of(row)
    row.refresh_from_db()
    assert (row.session, session.held_until) == (session, row.deal_set.held_until)
    second = draft_session(make_tournament(row.club, name="Encore"))
    taken = {"session_id": second.pk, "deal_set": row.deal_set}
    assert refusal(ActionRefused, use_deal_set, **taken) == "copy_played_once"
    by, now = director_of(row), timezone.now()
    put_session_away(session_id=session.pk, by=by, now=now)
    use_deal_set(**taken)
    row.refresh_from_db()
    assert row.session == second
    again = {"session_id": session.pk, "by": by, "now": now, "back": True}
    assert refusal(ActionRefused, put_session_away, **again) == "copy_played_once"


def test_session_that_takes_other_étuis_gives_the_copy_back():
    row = join_club(make_simultaneous(), "besancon")
    session = draft_of(row)
    other = create_set_dealt_at_table(club=row.club, name="Autre", count=5, now=timezone.now(), by=director_of(row))
    use_deal_set(session_id=session.pk, deal_set=other)
    row.refresh_from_db()
    session.refresh_from_db()
    assert (row.session, session.held_until) == (None, None)
    draft_of(row, "Plus tard")


def test_club_that_is_taken_out_reads_no_card_and_starts_nothing():
    simultaneous = make_simultaneous()
    row = join_club(simultaneous, "besancon")
    session, by = draft_of(row), director_of(row)
    gone = {
        "simultaneous_id": simultaneous.pk,
        "row_id": row.pk,
        "reason": "trop tard",
        "by": by,
        "now": timezone.now(),
    }
    take_out_of_simultaneous(**gone)
    row.deal_set.refresh_from_db()
    assert {etui.cards for etui in read_etuis(row.deal_set, timezone.now())} == {""}
    assert refusal(ActionRefused, start_session, session_id=session.pk, now=timezone.now()) == "simultaneous_left"


def test_session_that_was_put_away_counts_again_when_it_is_back():
    row = join_club(make_simultaneous(), "besancon")
    first, by, now = draft_of(row), director_of(row), timezone.now()
    put_session_away(session_id=first.pk, by=by, now=now)
    second = draft_of(row, "Encore")
    delete_session(session_id=second.pk, by=by)
    put_session_away(session_id=first.pk, by=by, now=now, back=True)
    row.refresh_from_db()
    assert row.session == first


def test_tournament_that_is_back_does_not_play_the_copy_a_second_time():
    row = join_club(make_simultaneous(), "besancon")
    first, by, now = draft_of(row), director_of(row), timezone.now()
    put_tournament_away(tournament_id=first.tournament_id, by=by, now=now)
    second = draft_of(row, "Encore")
    again = {"tournament_id": first.tournament_id, "by": by, "now": now, "back": True}
    assert refusal(ActionRefused, put_tournament_away, **again) == "copy_played_once"
    row.refresh_from_db()
    assert row.session == second
    put_tournament_away(tournament_id=second.tournament_id, by=by, now=now)
    put_tournament_away(**again)
    row.refresh_from_db()
    assert row.session == first


def test_copy_and_master_of_a_simultaneous_are_not_given_up():
    simultaneous = make_simultaneous()
    row = join_club(simultaneous, "besancon")
    join_club(simultaneous, "dijon")
    for deal_set in (row.deal_set, simultaneous.deal_set):
        by = deal_set.club.memberships.get().user
        page = f"/clubs/{deal_set.club.slug}/etuis/{deal_set.pk}/"
        give_up = reverse("deal_set_give_up", args=[deal_set.club.slug, deal_set.pk])
        assert give_up not in browser_of(by).get(page).content.decode()
        told = {"deal_set_id": deal_set.pk, "now": timezone.now()}
        assert refusal(DealSetRefused, give_up_copy, **told) == "set_of_simultaneous"
        assert browser_of(by).post(give_up).status_code < 500
        deal_set.refresh_from_db()
        assert deal_set.given_up_at is None
    assert draft_of(row).deal_set == row.deal_set


def test_link_with_odd_letters_is_no_link():
    assert browser_of().get("/simultaneous/a%00b/").status_code == 404


def test_club_that_has_left_and_the_master_itself_play_nothing():
    simultaneous = make_simultaneous()
    row = join_club(simultaneous, "besancon")
    row.left_at, row.left_by = timezone.now(), director_of(row)
    row.save()
    assert refusal(ActionRefused, draft_of, row=row) == "simultaneous_left"
    own = draft_session(make_tournament(simultaneous.club))
    asked = {"session_id": own.pk, "deal_set": simultaneous.deal_set}
    assert refusal(ActionRefused, use_deal_set, **asked) == "set_is_master"


def test_session_starts_between_the_opening_and_the_public_hour():
    simultaneous = make_simultaneous(opens_in=1)
    session = draft_of(join_club(simultaneous, "besancon"))
    start = {"session_id": session.pk}
    opens, public = simultaneous.opens_at, simultaneous.public_at
    assert refusal(ActionRefused, start_session, **start, now=opens - HOUR) == "simultaneous_not_open"
    assert refusal(ActionRefused, start_session, **start, now=public) == "simultaneous_over"
    assert start_session(**start, now=opens).status == Session.Status.RUNNING


@pytest.mark.nightly("story")
def test_all_opens_at_the_public_hour():
    simultaneous = make_simultaneous(opens_in=-2)
    playing, idle, preparing = (join_club(simultaneous, name) for name in ("besancon", "dijon", "lyon"))
    session, draft = draft_of(playing), draft_of(preparing)
    by = director_of(playing)
    start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=by)
    publish(session, by=by)
    assert publishable_cards(Session.objects.get(pk=session.pk), missing=0) == []
    assert open_all_due(timezone.now()) == []
    later = simultaneous.public_at + dt.timedelta(seconds=1)
    assert refusal(DealSetRefused, reveal_seed, deal_set_id=simultaneous.deal_set_id, now=timezone.now()) == "set_held"
    assert open_all_due(later) == [simultaneous.pk]
    assert open_all_due(later) == []
    simultaneous.deal_set.refresh_from_db()
    assert simultaneous.deal_set.revealed_at == later
    session = Session.objects.select_related("deal_set").get(pk=session.pk)
    assert (session.held_until, cards_in(session.deal_set)) == (None, cards_in(simultaneous.deal_set))
    assert publishable_cards(session, missing=0) == [1, 2, 3, 4, 5]
    assert not still_to_play(session.deal_set, but=session)
    given_up = DealSet.objects.filter(given_up_at=later)
    assert list(given_up) == [idle.deal_set]
    assert refusal(ActionRefused, start_session, session_id=draft.pk, now=later) == "simultaneous_over"
    assert refusal(ActionRefused, draft_of, row=idle) == "seed_revealed"


def test_set_that_somebody_knows_is_no_master():
    club = make_club()
    by, now = make_director(club), timezone.now()
    hours = {"opens_at": now, "held_until": now + HOUR, "now": now}
    made = {"club": club, "name": "Étuis", "count": 5, "now": now, "by": by}
    assert refusal(DealSetRefused, make_master, deal_set=create_set_dealt_at_table(**made), **hours) == (
        "master_without_seed"
    )
    awaited = create_deal_set(**made, value_name="Loto")
    assert refusal(DealSetRefused, make_master, deal_set=awaited, **hours) == "copy_before_value"
    used = create_deal_set(**made)
    use_deal_set(session_id=draft_session(make_tournament(club)).pk, deal_set=used)
    assert refusal(DealSetRefused, make_master, deal_set=used, **hours) == "master_used"
    copied = create_deal_set(**made)
    copy_deal_set(deal_set=copied, club=make_club("autre"), by=by, now=now)
    assert refusal(DealSetRefused, make_master, deal_set=copied, **hours) == "master_used"


def test_nobody_copies_or_adds_étuis_by_another_way():
    simultaneous = make_simultaneous()
    copy = join_club(simultaneous, "besancon").deal_set
    by, now, club = make_director(make_club("autre"), "autre"), timezone.now(), make_club("tiers")
    for deal_set, code in ((simultaneous.deal_set, "copy_of_master"), (copy, "copy_without_seed")):
        assert refusal(DealSetRefused, copy_deal_set, deal_set=deal_set, club=club, by=by, now=now) == code
        assert refusal(DealSetRefused, add_etuis, deal_set_id=deal_set.pk, last=9) == "copy_of_master"
    hours = {"opens_at": now, "held_until": now + HOUR, "now": now}
    assert refusal(DealSetRefused, make_master, deal_set=copy, **hours) == "master_without_seed"
    assert make_copy(master=simultaneous.deal_set, club=club, name="Copie", by=by, now=now).held_until is not None
    assert Simultaneous.objects.count() == 1


def test_sweep_opens_what_is_due():
    simultaneous = make_simultaneous(opens_in=-6)
    sweep_publications()
    simultaneous.deal_set.refresh_from_db()
    assert simultaneous.deal_set.revealed_at is not None
