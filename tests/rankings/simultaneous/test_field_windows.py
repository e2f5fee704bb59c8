"""The window of a field's ranking when a club comes late, and the pause between two computations of a field."""

import datetime as dt
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from celery import current_app
from django.contrib import admin
from django.utils import timezone

from evenings.plays.ruling import annul_etui
from jobs.tasks import compute_field
from rankings.simultaneous.field import publishing
from rankings.simultaneous.field.computing import pause_before_field
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.writing import FieldRefused
from tests.pages.browsing import browser_of
from tests.rankings.simultaneous.national_day import DAY, HOUR, enter_session, join_club, word
from tests.rankings.simultaneous.test_field_pages import close_sessions, url
from tournaments.models import FieldPublication, FieldStandings, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def published(played, director):
    """Return a simultaneous with a complete version whose window is over."""
    simultaneous, sessions = played
    close_sessions(sessions)
    version = FIELDS.publish(simultaneous.pk, word(director))
    assert version.data["complete"]
    simultaneous.publications.update(official_from=timezone.now() - HOUR)
    return simultaneous


def come_late(simultaneous, director):
    """Return the session of a club that joins and plays after the others have closed."""
    row = join_club(simultaneous, "Tard", director, begun=timezone.now())
    session = Session.objects.get(pk=row.session_id)
    enter_session(session, 7, director)
    return session


def newest(simultaneous):
    return simultaneous.publications.order_by("-version")[0]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("by", ["sweep", "page", "publishing"])
def test_no_version_becomes_official_while_a_late_club_plays(published, director, by):
    late = come_late(published, director)
    if by == "sweep":
        FIELDS.settle_all()
    elif by == "page":
        assert browser_of().get(url("field", published)).status_code == 200
    else:
        FIELDS.publish(published.pk, word(director))
    assert set(published.publications.values_list("status", flat=True)) == {"provisional"}
    assert newest(published).official_from > published.public_at
    close_sessions([late])
    FIELDS.settle_all()
    last = newest(published)
    assert (last.status, last.data["complete"]) == ("provisional", True)
    assert late.pk in {row["session"] for row in last.data["players"]}
    assert last.official_from > timezone.now() + DAY
    published.publications.filter(pk=last.pk).update(official_from=timezone.now() - HOUR)
    FIELDS.settle_all()
    assert newest(published).status == "official"


@pytest.mark.nightly("story")
def test_late_club_that_closed_before_the_window_ended_is_published(published, director):
    late = come_late(published, director)
    close_sessions([late])
    assert browser_of().get(url("field", published)).status_code == 200
    assert newest(published).status == "provisional"
    FIELDS.settle_all()
    last = newest(published)
    assert last.status == "provisional"
    assert late.pk in {row["session"] for row in last.data["players"]}


def test_organiser_publishes_a_late_club_without_a_reason(published, director):
    close_sessions([come_late(published, director)])
    page = browser_of(director).get(url("field_publish", published))
    assert not page.context["wants_reason"]
    assert browser_of(director).post(url("field_publish", published)).status_code == 302
    assert set(published.publications.values_list("status", flat=True)) == {"provisional"}
    assert published.publications.count() == 2


@pytest.mark.guard("a field is corrected in its window")
def test_correction_after_a_complete_version_is_published_in_its_window(published, director):
    published.publications.update(official_from=timezone.now() + DAY)
    session = Session.objects.get(pk=next(iter(newest(published).sessions)))
    annul_etui(session_id=session.pk, etui=1, reason="x", by=director, now=timezone.now())
    FIELDS.settle_all()
    assert published.publications.count() == 2
    FIELDS.settle_all()
    assert published.publications.count() == 2


def test_field_is_computed_at_most_every_thirty_seconds(played, director, monkeypatch):
    simultaneous, (session, *_others) = played
    now = timezone.now()
    kept = FieldStandings.objects.filter(pk=simultaneous.pk)
    kept.update(computed_at=now)
    assert pause_before_field(simultaneous.pk, now=now) == 30
    assert pause_before_field(simultaneous.pk, now=now + dt.timedelta(seconds=20)) == 10
    assert pause_before_field(simultaneous.pk, now=now + dt.timedelta(seconds=31)) == 0
    assert pause_before_field(simultaneous.pk, now=now - DAY) == 0  # the clock was set back
    monkeypatch.setattr(current_app.conf, "task_always_eager", False)
    annul_etui(session_id=session.pk, etui=2, reason="x", by=director, now=now)
    before = kept.get().basis
    compute_field(simultaneous.pk)
    assert kept.get().basis == before
    kept.update(computed_at=now - dt.timedelta(seconds=31))
    compute_field(simultaneous.pk)
    assert kept.get().basis != before


@pytest.mark.parametrize(
    ("status", "is_present", "is_refused"),
    [("provisional", False, True), ("provisional", True, False), ("withdrawn", False, False)],
)
def test_provisional_version_with_older_figures_is_not_made_official(monkeypatch, status, is_present, is_refused):
    made = {
        "Simultaneous": SimpleNamespace(objects=SimpleNamespace(get=lambda pk: pk)),
        "read_sources": lambda _simultaneous, _now: SimpleNamespace(is_complete=True),
        "refresh_field": lambda _simultaneous, now: now,
        "find_newest_version": lambda _simultaneous: FieldPublication(status=status),
        "has_present_figures": lambda _simultaneous, _last, _now: is_present,
    }
    for name, value in made.items():
        monkeypatch.setattr(publishing, name, value)
    with pytest.raises(FieldRefused) if is_refused else nullcontext() as caught:
        publishing.check_official(1, timezone.now())
    assert not is_refused or caught.value.code == "field_outdated"


def test_administration_shows_neither_sets_nor_cards_nor_seeds():
    assert not [model for model in admin.site._registry if model._meta.app_label == "deals"]
