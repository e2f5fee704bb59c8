"""The pages of a simultaneous: the organiser's, a club's, and those that everybody reads."""

import datetime as dt
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from deals.models import DealSet
from deals.sets import record_look
from evenings.plans.starting import start_session
from evenings.sessions.setup import use_deal_set
from rankings.simultaneous.membership import invite_club, join_by_link
from rankings.simultaneous.setup import close_simultaneous
from tests.factories import draft_session, make_club, make_tournament, make_user
from tests.pages.browsing import browser_of
from tests.rankings.simultaneous import test_clubs as services
from tournaments.models import FieldRuling, Simultaneous, SimultaneousClub

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
now, by, made = services.now, services.by, services.made
lyon, theirs = services.lyon, services.theirs


def reader(language="en"):
    return Client(headers={"accept-language": language})


def url(name, *args):
    return reverse(name, args=["federation", *args])


def read(client, name, *args, **more):
    answer = client.get(url(name, *args), **more)
    assert answer.status_code == 200
    return answer.content.decode()


def typed(**more):
    return {
        "title": "Nuit du tarot",
        "opens_at": "2031-01-10T20:00",
        "closes_at": "2031-01-11T01:00",
        "public_at": "2031-01-11T09:00",
        "count": "6",
    } | more


def test_organiser_creates_a_simultaneous_and_invites_clubs(organiser, by, lyon):
    page = browser_of(by)
    assert 'value="24"' in read(page, "simultaneous_new")
    answer = page.post(url("simultaneous_new"), typed())
    made = Simultaneous.objects.get()
    assert answer.url == url("simultaneous_clubs", "nuit-du-tarot")
    assert (made.deal_set.etuis.count(), made.opens_at.astimezone().year) == (6, 2031)
    text = read(page, "simultaneous_clubs", made.slug)
    assert made.token in text
    assert page.post(url("simultaneous_clubs", made.slug), {"slug": "lyon"}).status_code == 302
    assert "invited, has not answered yet" in read(page, "simultaneous_clubs", made.slug)
    assert SimultaneousClub.objects.get().club == lyon


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"closes_at": "2031-01-10T19:00"}, "The clubs stop before they begin"),
        ({"public_at": "2031-01-11T00:59"}, "would be public while clubs still play"),
        ({"title": ""}, "This field is required"),
        ({"opens_at": "demain"}, "Enter a valid date/time"),
        ({"count": "0"}, "At least 1: correct it"),
        ({"closes_at": "9999-12-31T23:59", "public_at": "9999-12-31T23:59"}, "This date is too far away"),
    ],
    ids=["closes", "public", "title", "no hour", "count", "far"],
)
def test_wrong_hours_are_told_and_what_was_typed_stays(organiser, by, wrong, told):
    answer = browser_of(by).post(url("simultaneous_new"), typed(alterne="on") | wrong)
    text = answer.content.decode()
    assert told in text
    kept = typed() | wrong
    assert all(f'value="{kept[name]}"' in text for name in ("title", "opens_at", "count") if kept[name])
    assert not Simultaneous.objects.exists()


def test_saving_the_settings_as_they_are_moves_no_hour(made, by, lyon, theirs, now):
    page, before = browser_of(by), (made.opens_at, made.closes_at, made.public_at)
    text = read(page, "simultaneous_settings", made.slug)
    fields = dict(re.findall(r'name="(\w+_at)" value="([^"]+)"', text))
    assert len(fields) == 3
    answer = page.post(url("simultaneous_settings", made.slug), {"title": "Coupe d’hiver", "alterne": "on", **fields})
    assert answer.status_code == 302
    made.refresh_from_db()
    assert (made.opens_at, made.closes_at, made.public_at) == before
    assert (made.title, made.alterne) == ("Coupe d’hiver", True)


def test_hours_moved_after_prints_are_said_before_and_after(made, by, lyon, theirs, now):
    row = join_by_link(club=lyon, token=made.token, by=theirs, now=now)
    page = browser_of(by)
    assert 'id="looks"' not in read(page, "simultaneous_settings", made.slug)
    record_look(deal_set=row.deal_set, user=theirs, first=1, last=5, now=now, kind="printed")
    assert 'id="looks"' in read(page, "simultaneous_settings", made.slug)
    hours = {name: typed()[name] for name in ("opens_at", "closes_at", "public_at")}
    answer = page.post(url("simultaneous_settings", made.slug), {"title": made.title, **hours}, follow=True)
    assert "cards had been seen or printed 1 time" in answer.content.decode()
    row.deal_set.refresh_from_db()
    assert row.deal_set.opens_at.year == 2031
    assert "cards seen or printed 1 time" in read(page, "simultaneous_clubs", made.slug)


def test_hours_no_longer_change_once_the_etuis_are_public(made, by):
    times = {"opens_at": made.opens_at - 9 * HOUR, "closes_at": made.opens_at, "public_at": made.opens_at}
    Simultaneous.objects.update(**times)
    page = browser_of(by)
    assert "the hours no longer change" in read(page, "simultaneous_settings", made.slug)
    page.post(url("simultaneous_settings", made.slug), typed(title="Après"))
    made.refresh_from_db()
    assert (made.title, made.public_at) == ("Après", times["public_at"])
    assert "Invite by link" not in read(page, "simultaneous_clubs", made.slug)


def test_club_answers_an_invitation_from_its_list(made, by, lyon, theirs, now):
    row = invite_club(simultaneous_id=made.pk, slug="lyon", by=by, now=now)
    page, mine = browser_of(theirs), reverse("simultaneous_list", args=["lyon"])
    assert 'id="asked"' in page.get(mine).content.decode()
    assert 'id="asked"' not in reader().get(mine).content.decode()
    answer = page.post(reverse("simultaneous_answer", args=["lyon", row.pk]), {"do": "agree"}, follow=True)
    text = answer.content.decode()
    assert reverse("deal_set", args=["lyon", SimultaneousClub.objects.get().deal_set_id]) in text
    assert made.title in reader().get(mine).content.decode()
    answer = page.post(reverse("simultaneous_answer", args=["lyon", row.pk]), {"do": "leave"}, follow=True)
    assert "Give the reason" in answer.content.decode()
    page.post(reverse("simultaneous_answer", args=["lyon", row.pk]), {"do": "leave", "reason": "salle fermée"})
    assert "salle fermée" in read(browser_of(by), "simultaneous_clubs", made.slug)


def test_link_asks_to_log_in_and_lets_directors_choose_their_club(made, lyon, theirs):
    link = reverse("simultaneous_join", args=[made.token])
    assert Client().get(link).url.startswith(reverse("login"))
    nobody = browser_of(make_user("personne"))
    assert "You direct no club" in nobody.get(link).content.decode()
    page = browser_of(theirs)
    assert "Club de Lyon" in page.get(link).content.decode()
    for wrong in ("federation", "", "nowhere"):
        assert "Choose one of the clubs" in page.post(link, {"club": wrong}).content.decode()
    assert "Choose one of the clubs" in nobody.post(link, {"club": "lyon"}).content.decode()
    assert page.post(link, {"club": "lyon"}).url == url("simultaneous", made.slug)
    assert "takes part already" in page.get(link).content.decode()
    assert SimultaneousClub.objects.get().club == lyon
    assert page.get(reverse("simultaneous_join", args=["x" * 43])).status_code == 404


def test_public_page_has_hours_and_clubs_but_no_invitation_and_no_link(made, by, lyon, theirs, now):
    assert "No club yet" in read(reader(), "simultaneous", made.slug)
    invite_club(simultaneous_id=made.pk, slug="lyon", by=by, now=now)
    assert "Club de Lyon" not in read(reader(), "simultaneous", made.slug)
    row = join_by_link(club=lyon, token=made.token, by=theirs, now=now)
    session = draft_session(make_tournament(lyon, name="Soirée de Lyon"))
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)
    assert "prepares its session" in read(reader(), "simultaneous", made.slug)
    start_session(session_id=session.pk, by=theirs, now=now)
    text = read(reader(), "simultaneous", made.slug)
    assert "plays" in text
    assert "1 club takes part" in text
    assert made.token not in text
    assert made.deal_set.seed not in text
    assert "Soirée de Lyon" in read(browser_of(theirs), "simultaneous", made.slug)


def test_other_clubs_director_sees_no_page_of_the_organiser(made, theirs, lyon):
    page = browser_of(theirs)
    for name in ("simultaneous_settings", "simultaneous_clubs", "simultaneous_rulings"):
        assert page.get(url(name, made.slug)).status_code == 403
    assert page.post(url("simultaneous_step", made.slug), {"do": "close"}).status_code == 403
    assert page.get(reverse("deal_set", args=["federation", made.deal_set_id])).status_code == 403


def test_organiser_rules_closes_and_puts_away(made, by):
    page, step = browser_of(by), url("simultaneous_step", made.slug)
    ruling = {"etui": "3", "kind": "split", "reason": "carte", "from_position": ""}
    answer = page.post(url("simultaneous_rulings", made.slug), ruling)
    assert "give its number, 2 or more" in answer.content.decode()
    assert 'value="carte"' in answer.content.decode()
    page.post(url("simultaneous_rulings", made.slug), ruling | {"from_position": "2"})
    assert FieldRuling.objects.get().from_position == 2
    assert "altered from position 2 on" in read(page, "simultaneous_rulings", made.slug)
    page.post(step, {"do": "close"})
    assert "You have closed" in read(page, "simultaneous_clubs", made.slug)
    page.post(step, {"do": "reopen"})
    page.post(step, {"do": "away"})
    made.refresh_from_db()
    assert made.closed_at is None
    assert made.put_away_at is not None
    assert made.title not in read(reader(), "simultaneous_list")
    assert made.title in read(page, "simultaneous_list")


@pytest.mark.nightly("story")
def test_clubs_page_does_not_ask_more_for_a_hundred_clubs(made, by, now):
    counts = []
    for clubs in (range(3), range(3, 100)):
        for number in clubs:
            club = make_club(f"club-{number}", f"Club {number}")
            copy = DealSet.objects.create(club=club, name="copie", created_at=now, master=made.deal_set)
            SimultaneousClub.objects.create(
                simultaneous=made,
                club=club,
                deal_set=copy,
                invited_at=now,
                invited_by=by,
                agreed_at=now,
                agreed_by=by,
            )
        for name in ("simultaneous", "simultaneous_clubs"):
            page = browser_of(by)
            with CaptureQueriesContext(
                connection,
            ) as asked:
                read(page, name, made.slug)
            counts.append(len(asked))
    assert counts[:2] == counts[2:]
    assert max(counts) <= 14


def test_practice_clubs_and_unknown_ones_have_no_simultaneous(made, by):
    page = browser_of(by)
    assert page.get(url("simultaneous", "inconnu")).status_code == 404
    answer = page.post(url("simultaneous_clubs", made.slug), {"slug": "inconnu"})
    assert "Choose one of the clubs of this site" in answer.content.decode()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_phase_is_said_in_both_languages(made, by, language):
    told = {
        "en": ("clubs play", "étuis public in", "étuis public"),
        "fr": ("les clubs jouent", "étuis publics dans", "étuis publics"),
    }[language]
    texts = [read(reader(language), "simultaneous", made.slug)]
    close_simultaneous(simultaneous_id=made.pk, by=by, now=timezone.now())
    texts.append(read(reader(language), "simultaneous", made.slug))
    past = timezone.now() - HOUR
    Simultaneous.objects.update(opens_at=past - 2 * HOUR, closes_at=past - HOUR, public_at=past)
    texts.append(read(reader(language), "simultaneous", made.slug))
    assert all(word in text for word, text in zip(told, texts, strict=True))
