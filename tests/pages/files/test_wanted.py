"""The large files that a job makes: once for everybody, one at a time for each asker, and kept for a day."""

import csv
import datetime as dt
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from archives.privacy.periods import forget_what_is_over
from clubs.guard.devices import COOKIE, Device
from clubs.models import Club, ShownWord
from clubs.shown import choose_shown
from jobs.tasks import make_file, sweep_publications
from outgoing.sheets import wanted
from outgoing.sheets.files import KINDS
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.pages.reading import words
from tournaments.job_health import hold_claim
from tournaments.models import WantedFile
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


session = shared_evenings.published


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Let 25 rows count as very many: a session of the factories has 25 plays."""
    monkeypatch.setattr("pages.public.pages.LARGE", 25)


def reader(address="192.0.2.1"):
    return Client(headers={"accept-language": "en"}, REMOTE_ADDR=address)


def ask(session, address="192.0.2.1", table="plays", kind="csv"):
    where = session_url("ask_published_file", session, 1)
    return reader(address).post(where, {"table": table, "kind": kind})


def read_csv(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


def content_of(row):
    return reader().get(reverse("wanted_file_content", args=[row.token]))


def test_2000_rows_are_large():
    assert wanted.LARGE == 2000


def test_large_file_is_asked_of_a_job_and_downloaded_when_ready(session, django_capture_on_commit_callbacks):
    page = reader().get(session_url("published_file", session, 1), {"table": "plays", "kind": "csv"})
    assert page["Content-Type"].startswith("text/html")
    assert f'action="{session_url("ask_published_file", session, 1)}"' in page.content.decode()
    assert "This file has 25 rows." in words(page)
    with django_capture_on_commit_callbacks() as jobs:
        asked = ask(session)
    row = WantedFile.objects.get()
    where = reverse("wanted_file", args=[row.token])
    assert asked["Location"] == where
    shown = reader().get(where)
    assert "The site is making the file." in words(shown)
    assert 'hx-trigger="load delay:2s"' in shown.content.decode()
    assert content_of(row)["Location"] == where
    for job in jobs:
        job()
    assert "The file is ready." in words(reader().get(where))
    answer = content_of(row)
    assert (answer["Content-Type"], answer["Cache-Control"]) == (KINDS["csv"], "no-store")
    assert answer["Content-Disposition"].endswith('-1-v1-plays.csv"')
    assert len(read_csv(answer)) == 25


def test_small_file_is_given_at_once(session):
    answer = reader().get(session_url("published_file", session, 1), {"table": "ranking", "kind": "csv"})
    assert len(read_csv(answer)) == 20


def test_progress_is_told_step_by_step(session, monkeypatch):
    ask(session, table="everything", kind="xlsx")
    seen = []
    make = wanted.make_shown_table

    def look(*given):
        seen.append((WantedFile.objects.get().done, WantedFile.objects.get().steps))
        return make(*given)

    monkeypatch.setattr(wanted, "make_shown_table", look)
    make_file(WantedFile.objects.get().pk)
    row = WantedFile.objects.get()
    assert (seen, row.done, bool(row.made_at)) == ([(0, 5), (1, 5), (2, 5), (3, 5)], 5, True)


def test_file_that_another_worker_makes_is_not_begun_twice(session):
    ask(session)
    row = WantedFile.objects.get()
    with hold_claim(f"file-{row.pk}"):
        make_file(row.pk)
        assert WantedFile.objects.get().made_at is None
    make_file(row.pk)
    assert WantedFile.objects.get().made_at is not None


@pytest.mark.nightly("story")
def test_same_file_is_made_once_for_everybody(session, monkeypatch, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as jobs:
        leads = {ask(session, f"192.0.2.{number}")["Location"] for number in range(1, 51)}
    assert (len(leads), len(jobs), WantedFile.objects.count()) == (1, 1, 1)
    make_file(WantedFile.objects.get().pk)
    monkeypatch.setattr(wanted, "build_file", None)
    make_file(WantedFile.objects.get().pk)  # run twice, it makes the file once


def test_nobody_has_two_files_made_at_once(session):
    ask(session)
    refused = ask(session, kind="xlsx")
    assert refused.status_code == 409
    assert "The site is making another file for you" in words(refused)
    assert ask(session, "192.0.2.2", kind="xlsx").status_code == 302
    make_file(WantedFile.objects.get(kind="csv").pk)
    assert ask(session, table="feuilles").status_code == 302
    assert WantedFile.objects.count() == 3


def test_readers_at_one_address_are_told_apart_by_account_or_known_device(session, director):
    ask(session)
    where = session_url("ask_published_file", session, 1)

    def ask_as(client):
        return client.post(where, {"table": "feuilles", "kind": "xlsx"}, REMOTE_ADDR="192.0.2.1").status_code

    assert ask_as(Client()) == 409
    forged = Client()
    forged.cookies[COOKIE] = "made up"
    assert ask_as(forged) == 409
    known = Client()
    known.cookies[COOKIE] = Device("one", has_opened_code=True).to_cookie()
    assert ask_as(known) == 302
    WantedFile.objects.filter(table="feuilles").delete()
    account = Client()
    account.force_login(director)
    assert ask_as(account) == 302


def test_file_that_no_job_has_made_is_given_up_after_a_while(session):
    ask(session)
    WantedFile.objects.update(asked_at=timezone.now() - dt.timedelta(minutes=11))
    assert ask(session, kind="xlsx").status_code == 302
    assert [row.kind for row in WantedFile.objects.all()] == ["xlsx"]


def test_lost_job_is_queued_again_by_the_sweep(session):
    ask(session)
    sweep_publications()
    assert WantedFile.objects.get().made_at is None
    WantedFile.objects.update(asked_at=timezone.now() - dt.timedelta(minutes=2))
    assert wanted.find_waiting_files(timezone.now()) == [WantedFile.objects.get().pk]
    sweep_publications()
    assert WantedFile.objects.get().made_at is not None


def test_file_that_fails_may_be_asked_for_again(session, monkeypatch):
    ask(session)
    row = WantedFile.objects.get()
    with monkeypatch.context() as broken:
        broken.setattr(wanted, "write_file", None)
        with pytest.raises(TypeError):
            make_file(row.pk)
    assert "The file could not be made" in words(reader().get(reverse("wanted_file", args=[row.token])))
    assert ask(session)["Location"] != reverse("wanted_file", args=[row.token])


def test_file_with_a_name_that_was_hidden_since_is_given_to_nobody(session, director):
    ask(session)
    row = WantedFile.objects.get()
    make_file(row.pk)
    player = session.entrants.first().player
    assert player.last_name in content_of(row).content.decode()
    choose_shown(player=player, shown="hidden", way=ShownWord.WordWay.DIRECTOR, by=director, now=timezone.now())
    assert content_of(row)["Location"] == reverse("wanted_file", args=[row.token])
    assert "What is published has changed since" in words(reader().get(reverse("wanted_file", args=[row.token])))
    ask(session)
    new = WantedFile.objects.exclude(pk=row.pk).get()
    make_file(new.pk)
    assert player.last_name not in content_of(new).content.decode()


@pytest.mark.parametrize("change", ["withdraw", "switch"])
def test_file_of_what_is_no_longer_shown_is_given_to_nobody(session, director, change):
    ask(session)
    ask(session, "192.0.2.2", kind="xlsx")
    made, waiting = WantedFile.objects.order_by("pk")
    make_file(made.pk)
    word = DirectorWord(director, timezone.now(), "relu")
    if change == "withdraw":
        SESSIONS.withdraw(session.pk, word=word)
    else:
        switch_parts(session_id=session.pk, shows=Shows(etuis=False), word=word)
    assert content_of(made).status_code == 302
    make_file(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.failed_at is not None, waiting.content) == (True, None)
    assert ask(session, "192.0.2.3").status_code == 404


def test_file_is_deleted_after_a_day(session):
    ask(session)
    make_file(WantedFile.objects.get().pk)
    forget_what_is_over(timezone.now() + dt.timedelta(hours=23))
    assert WantedFile.objects.count() == 1
    forget_what_is_over(timezone.now() + dt.timedelta(hours=25))
    assert WantedFile.objects.count() == 0


@pytest.mark.parametrize(
    ("table", "kind"), [("plays", "exe"), ("members", "csv"), ("everything", "csv"), ("plays", "")]
)
def test_unknown_file_is_not_asked_for(session, table, kind):
    assert (ask(session, table=table, kind=kind).status_code, WantedFile.objects.count()) == (404, 0)


def test_file_of_a_practice_evening_is_only_for_those_who_see_it(session):
    ask(session)
    row = WantedFile.objects.get()
    make_file(row.pk)
    Club.every.filter(pk=session.tournament.club_id).update(practice_of=Club.objects.create(name="Vrai", slug="vrai"))
    assert content_of(row).status_code in (403, 404)
    assert ask(session, "192.0.2.9").status_code in (403, 404)


def test_unknown_token_is_not_found(session):
    assert reader().get(reverse("wanted_file", args=["x" * 43])).status_code == 404
    assert reader().get(reverse("wanted_file_content", args=["x" * 43])).status_code == 404
