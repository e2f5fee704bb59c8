"""A simultaneous on two sites: the file out, the key at the opening hour, the results in, and sent again."""

import datetime as dt
import io
import json
import zipfile
from contextlib import contextmanager

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from archives.archive.people import DOUBT, FoundPlayer
from archives.elsewhere.exchanging import (
    open_sealed_cards,
    read_sealed_key,
    receive_sealed_file,
    send_sealed_file,
)
from archives.elsewhere.results import DoubtfulResults, ReceivedArchive, receive_results
from archives.elsewhere.sealed_file import open_cards, read_sealed_file
from archives.errors import ArchiveError, SealedFileError
from clubs.models import Club, ClubLogEntry
from deals.copies import read_etuis
from deals.domain.exchange import read_json, write_json
from deals.models import DealLook, DealSet, Etui
from evenings.plans.starting import start_session
from evenings.plays.entering import annul_play
from jobs.tasks import make_file_of_club
from rankings.simultaneous.hours import FieldHours, change_hours, open_all_due
from rankings.simultaneous.membership import invite_club
from rankings.simultaneous.writing import SimultaneousRefused
from tests.archives.archive.packed import bring as import_archive
from tests.archives.archive.packed import export
from tests.archives.elsewhere.test_sealed_file import pack, seal, unpack
from tests.factories import enter_all, make_club, make_director, make_helper, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.simultaneous.world import HOUR, director_of, draft_of, join_club, make_simultaneous
from tournaments.models import ClubFile, SealedEtuis, Session, Simultaneous, SimultaneousClub
from tournaments.published import Shows

pytestmark = pytest.mark.django_db


def organiser_of(simultaneous):
    return simultaneous.club.memberships.get(role="director").user


def send(simultaneous):
    told = {"address": "https://tarot.example/key/", "by": organiser_of(simultaneous), "now": timezone.now()}
    return send_sealed_file(simultaneous_id=simultaneous.pk, **told)


@pytest.fixture
def simultaneous():
    return make_simultaneous()


@pytest.fixture
def far_club():
    return make_club("ailleurs", "Tarot Club d’Ailleurs")


@pytest.fixture
def far(far_club):
    return make_director(far_club, "directrice d’ailleurs")


@contextmanager
def far_away():
    """Let the organisers' sets be those of another site, which this site does not know."""
    organised = list(DealSet.objects.filter(simultaneous__sealed__content=None, simultaneous__isnull=False))
    for each in organised:
        DealSet.objects.filter(pk=each.pk).update(commitment=f"far-{each.pk}")
    yield
    for each in organised:
        DealSet.objects.filter(pk=each.pk).update(commitment=each.commitment)


def receive(club, content, by):
    with far_away():
        return receive_sealed_file(club=club, content=content, by=by, now=timezone.now())


def refusal(work, **given):
    with pytest.raises(SealedFileError) as refused:
        work(**given)
    return refused.value.code


def forget_this_site(simultaneous):
    """Leave the other site alone with its file, as if the organiser were far away. Return the key."""
    key = SealedEtuis.objects.get(simultaneous=simultaneous).secret
    DealSet.objects.filter(pk=simultaneous.deal_set_id).update(seed_digest="elsewhere")
    return key


def test_file_and_key_bring_the_cards_to_another_site(simultaneous, far_club, far):
    received = receive(far_club, send(simultaneous), far)
    copy = SimultaneousClub.objects.get(simultaneous=received).deal_set
    assert set(Etui.objects.filter(deal_set__club=far_club).values_list("cards", flat=True)) == {""}
    assert (received.opens_at, received.public_at) == (simultaneous.opens_at, simultaneous.public_at)
    key = forget_this_site(simultaneous)
    given = {"simultaneous_id": received.pk, "by": far, "now": timezone.now()}
    assert refusal(open_sealed_cards, key="AGE-SECRET-KEY-1", **given) == "no_sealed_key"
    open_sealed_cards(key=key, **given)
    open_sealed_cards(key="is not read again", **given)
    dealt = [etui.cards for etui in simultaneous.deal_set.etuis.all()]
    assert [etui.cards for etui in read_etuis(copy, timezone.now())] == dealt
    assert set(copy.etuis.values_list("cards", flat=True)) == {""}
    later = received.public_at + dt.timedelta(seconds=1)
    assert received.pk in open_all_due(later)
    assert [etui.cards for etui in copy.etuis.all()] == dealt


def test_key_is_given_out_from_the_opening_hour(simultaneous):
    send(simultaneous)
    opens = simultaneous.opens_at
    assert read_sealed_key(simultaneous, opens - dt.timedelta(seconds=1)) == ""
    assert read_sealed_key(simultaneous, opens).startswith("AGE-SECRET-KEY-1")


def test_same_key_opens_each_file_and_the_look_is_logged(simultaneous):
    first, second = (read_sealed_file(send(simultaneous)) for _time in range(2))
    assert first.about == second.about
    assert SealedEtuis.objects.count() == 1
    assert DealLook.objects.filter(deal_set=simultaneous.deal_set, document="sealed").count() == 2
    assert ClubLogEntry.objects.filter(club=simultaneous.club, action="sealed_file_made").count() == 2


@pytest.mark.nightly("story")
def test_file_that_comes_again_moves_the_hours(simultaneous, far_club, far):
    received = receive(far_club, send(simultaneous), far)
    session = draft_of(received.clubs.get())
    later = simultaneous.public_at + HOUR
    Simultaneous.objects.filter(pk=simultaneous.pk).update(public_at=later)
    assert receive(far_club, send(simultaneous), far) == received
    session.refresh_from_db()
    assert session.held_until == later
    assert set(DealSet.objects.exclude(opens_at=None).filter(club=far_club).values_list("held_until", flat=True)) == {
        later
    }
    assert Simultaneous.objects.filter(club=far_club).count() == 1


@pytest.mark.nightly("story")
def test_organiser_alone_closes_it(simultaneous, far_club, far):
    received = receive(far_club, send(simultaneous), far)
    address = f"/clubs/{far_club.slug}/simultaneous/{received.slug}/step/"
    for do in ("close", "reopen"):
        answer = browser_of(far).post(address, {"do": do}, follow=True)
        assert "The organiser on the other site decides this: take in the file that they send." in words(answer)
    received.refresh_from_db()
    assert received.closed_at is None


def test_organiser_alone_moves_hours_and_invites(simultaneous, far_club, far):
    received = receive(far_club, send(simultaneous), far)
    given = {"simultaneous_id": received.pk, "by": far, "now": timezone.now()}
    hours = FieldHours(received.opens_at, received.closes_at, received.closes_at)
    for work, more in ((change_hours, {"hours": hours}), (invite_club, {"slug": simultaneous.club.slug})):
        with pytest.raises(SimultaneousRefused) as refused:
            work(**given, **more)
        assert refused.value.code == "simultaneous_elsewhere"


def test_other_étuis_under_the_same_key_are_refused(simultaneous, far_club, far):
    receive(far_club, send(simultaneous), far)
    files = unpack(send(simultaneous))
    shorter = read_json(files["etuis.json"].decode())
    shorter = type(shorter)(shorter.players, shorter.etuis[:-1], commitment=shorter.commitment)
    changed = pack(files | {"etuis.json": write_json(shorter).encode()})
    assert refusal(receive, club=far_club, content=changed, by=far) == "sealed_commitment_differs"


def test_cards_that_the_seed_does_not_deal_are_refused(simultaneous, far_club, far):
    content = send(simultaneous)
    key = forget_this_site(simultaneous)
    files = unpack(content)
    whole = read_json(write_json(open_cards(read_sealed_file(content), key)))
    first, second, *rest = whole.etuis
    swapped = [
        type(first)(one.number, one.taker, one.dealer, other.deal) for one, other in ((first, second), (second, first))
    ]
    lying = type(whole)(whole.players, (*swapped, *rest), seed=whole.seed, commitment=whole.commitment)
    received = receive(far_club, pack(files | {"etuis.json.age": seal(lying, key)}), far)
    given = {"simultaneous_id": received.pk, "by": far, "now": timezone.now()}
    assert refusal(open_sealed_cards, key=key, **given) == "sealed_cards_differ"
    assert not Etui.objects.filter(deal_set__club=far_club).exclude(cards="").exists()
    assert not DealSet.objects.filter(club=far_club).exclude(seed="").exists()


@pytest.mark.nightly("story")
def test_file_comes_too_late_or_to_a_site_that_has_the_simultaneous(simultaneous, far_club, far):
    content = send(simultaneous)
    late = {"club": far_club, "content": content, "by": far, "now": simultaneous.public_at}
    assert refusal(receive_sealed_file, **late) == "sealed_over"
    early = with_hours(content, public_at=simultaneous.closes_at)
    for each in (content, early):
        given = {"club": far_club, "content": each, "by": far, "now": timezone.now()}
        assert refusal(receive_sealed_file, **given) == "sealed_own"
    assert not DealSet.objects.filter(club=far_club).exists()


def with_hours(content, **hours):
    files = unpack(content)
    about = json.loads(files["simultaneous.json"]) | {name: str(hour) for name, hour in hours.items()}
    return pack(files | {"simultaneous.json": json.dumps(about).encode()})


@pytest.mark.parametrize("hour", ["9999-12-31T23:00:00-12:00", "0001-01-01T00:00:00+12:00"])
def test_hour_of_another_century_is_refused(simultaneous, far_club, far, hour):
    content = with_hours(send(simultaneous), public_at=hour)
    assert refusal(receive, club=far_club, content=content, by=far) == "sealed_damaged"


@pytest.mark.nightly("story")
def test_each_of_two_clubs_on_one_site_opens_at_the_hour(simultaneous, far_club, far):
    content = send(simultaneous)
    key = SealedEtuis.objects.get(simultaneous=simultaneous).secret
    second = make_club("voisins", "Voisins")
    neighbour = make_director(second, "voisine")
    received = [receive(far_club, content, far), receive(second, content, neighbour)]
    for each, by in zip(received, (far, neighbour), strict=True):
        open_sealed_cards(simultaneous_id=each.pk, key=key, by=by, now=timezone.now())
    later = simultaneous.public_at + dt.timedelta(seconds=1)
    assert {each.pk for each in received} <= set(open_all_due(later))
    for each in received:
        assert "" not in set(Etui.objects.filter(deal_set__club=each.club).values_list("cards", flat=True))
    assert open_all_due(later) == []


def test_session_opens_although_nobody_typed_the_key(simultaneous, far_club, far):
    session = draft_of(receive(far_club, send(simultaneous), far).clubs.get())
    open_all_due(simultaneous.public_at + dt.timedelta(seconds=1))
    session.refresh_from_db()
    assert session.held_until is None


def play_elsewhere(simultaneous, far_club, far):
    """Return the tournament that the other site has played and published."""
    received = receive(far_club, send(simultaneous), far)
    session = draft_of(received.clubs.get())
    start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=far)
    publish(session, by=far)
    return session.tournament


def bring(simultaneous, tournament, name="Tarot Club du Loin"):
    told = {"archive": ReceivedArchive(name, export(tournament)), "by": organiser_of(simultaneous)}
    return receive_results(simultaneous_id=simultaneous.pk, now=timezone.now(), **told)


@pytest.mark.guard("results of another site wait for the public hour")
def test_results_come_in_and_stay_closed_until_the_public_hour(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    session = bring(simultaneous, tournament)
    row = SimultaneousClub.objects.get(simultaneous=simultaneous, session=session)
    assert (row.club.name, row.club.memberships.count()) == ("Tarot Club du Loin", 0)
    assert session.plays.count() == tournament.sessions.get().plays.count()
    assert session.held_until == simultaneous.public_at
    assert not Shows.to_readers(session).etui_pages
    session.deal_set.refresh_from_db()
    assert session.deal_set.master == simultaneous.deal_set


@pytest.mark.nightly("story")
def test_results_that_come_after_the_public_hour_get_the_cards(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    Simultaneous.objects.filter(pk=simultaneous.pk).update(
        opens_at=timezone.now() - 3 * HOUR, closes_at=timezone.now() - 2 * HOUR, public_at=timezone.now() - HOUR
    )
    DealSet.objects.filter(pk=simultaneous.deal_set_id).update(held_until=timezone.now() - HOUR)
    open_all_due(timezone.now())
    session = bring(simultaneous, tournament)
    assert session.held_until is None
    assert "" not in set(session.deal_set.etuis.values_list("cards", flat=True))


@pytest.mark.nightly("story")
def test_archive_that_a_club_imports_before_the_hour_stays_closed(simultaneous):
    row = join_club(simultaneous, "besancon")
    session = draft_of(row)
    start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=director_of(row))
    publish(session, by=director_of(row))
    brought = import_archive(export(session.tournament), make_club("autre", "Autre club"))
    restored = brought.sessions.get()
    assert restored.held_until == simultaneous.public_at
    open_all_due(simultaneous.public_at + dt.timedelta(seconds=1))
    restored.refresh_from_db()
    assert restored.held_until is None


@pytest.mark.nightly("story")
def test_results_that_come_again_replace_the_former_ones(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    first = bring(simultaneous, tournament)
    play = tournament.sessions.get().plays.first()
    annul_play(play_id=play.pk, reason="étui mêlé", by=far, now=timezone.now())
    publish(tournament.sessions.get(), by=far)
    second = bring(simultaneous, tournament)
    first.refresh_from_db()
    assert first.tournament.put_away_at is not None
    assert (
        SimultaneousClub.objects.filter(simultaneous=simultaneous).values_list("session", flat=True).get() == second.pk
    )
    assert Club.objects.filter(name="Tarot Club du Loin").count() == 1
    assert second.tournament.club.players.count() == first.entrants.count()


@pytest.mark.nightly("story")
def test_results_that_count_already_are_refused_under_another_name(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    session = bring(simultaneous, tournament, name="Tarot Club du Loin")
    found = refusal(bring, simultaneous=simultaneous, tournament=tournament, name="TCL")
    assert found == "results_counted"
    assert not Club.objects.filter(name="TCL").exists()
    assert simultaneous.clubs.get(left_at=None).session == session


@pytest.mark.nightly("story")
def test_own_club_does_not_count_twice_under_another_name(simultaneous):
    row = join_club(simultaneous, "lyon")
    session, by = draft_of(row), director_of(row)
    start_session(session_id=session.pk, by=by, now=timezone.now())
    enter_all(session, by=by)
    publish(session, by=by)
    assert (
        refusal(bring, simultaneous=simultaneous, tournament=session.tournament, name="Lyon bis") == "results_counted"
    )
    assert simultaneous.clubs.filter(left_at=None).count() == 1


@pytest.mark.nightly("story")
def test_club_of_another_site_is_on_no_list_and_has_no_name_of_a_club_here(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    make_director(make_club("dijon", "Tarot Dijon"), "dijonnaise")
    assert refusal(bring, simultaneous=simultaneous, tournament=tournament, name="tarot dijon") == "results_club_here"
    guest = bring(simultaneous, tournament, name="Fédération lointaine").tournament.club
    assert (guest.house.listed, guest.house.indexed) == (False, False)
    assert "Fédération lointaine" not in words(Client().get("/"))


@pytest.mark.nightly("story")
def test_results_of_other_étuis_are_refused_and_leave_nothing(simultaneous, far_club, far):
    tournament = play_elsewhere(simultaneous, far_club, far)
    other = make_simultaneous(slug="autre")
    before = Session.objects.count(), Club.objects.count()
    assert refusal(bring, simultaneous=other, tournament=tournament) == "results_of_none"
    Etui.objects.filter(deal_set=simultaneous.deal_set, number=2).update(dealer="N")
    Etui.objects.filter(deal_set=simultaneous.deal_set, number=3).update(dealer="N")
    assert refusal(bring, simultaneous=simultaneous, tournament=tournament) == "results_other_etuis"
    assert (Session.objects.count(), Club.objects.count()) == before
    own = join_club(other, "dijon")
    assert refusal(bring, simultaneous=other, tournament=tournament, name=own.club.name) == "results_club_plays"


@pytest.mark.nightly("story")
def test_pages_lead_from_the_file_to_the_results(simultaneous, far_club, far):
    page = browser_of(organiser_of(simultaneous))
    base = f"/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/"
    assert "No club on another site has sent its results yet." in words(page.get(f"{base}sites/"))
    content = page.post(f"{base}sites/file/").content
    there, theirs = browser_of(far), f"/clubs/{far_club.slug}/simultaneous/"
    answer = there.post(f"{theirs}receive/", {"file": SimpleUploadedFile("f.zip", b"no zip")})
    assert "cannot be read as a ZIP" in words(answer)
    answer = there.post(f"{theirs}receive/", {"file": SimpleUploadedFile("f.zip", content)})
    assert "organised on this site" in words(answer)
    with far_away():
        answer = there.post(f"{theirs}receive/", {"file": SimpleUploadedFile("f.zip", content)}, follow=True)
    assert "Your club takes part" in words(answer)
    opening = answer.redirect_chain[-1][0]
    assert "This is not a key" in words(there.post(opening, {"key": "clé"}))
    key = words(page.get(f"{base}key/")).split("AGE-SECRET-KEY-1")[1].split()[0]
    forget_this_site(simultaneous)
    assert "The cards are those" in words(there.post(opening, {"key": f"AGE-SECRET-KEY-1{key}"}, follow=True))
    assert there.get(f"{base}sites/").status_code == 403
    session = draft_of(SimultaneousClub.objects.get(club=far_club))
    start_session(session_id=session.pk, now=timezone.now())
    enter_all(session, by=far)
    waiting, told = post_results(page, simultaneous, export(session.tournament))
    assert "taking its results in" in words(waiting)
    assert "The results of Tarot Club du Loin are there" in words(told)
    assert f'href="{base}sites/"' in told.content.decode()
    _waiting, told = post_results(page, simultaneous, b"x", club="Encore")
    assert "cannot be read as a ZIP" in words(told)
    assert f'action="{base}sites/results/"' in told.content.decode()
    assert 'value="Encore"' in told.content.decode()


def post_results(page, simultaneous, content, club="Tarot Club du Loin"):
    """Upload an archive with results. Return the page of its progress before and after the job has worked."""
    address = f"/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/sites/results/"
    asked = page.post(address, {"club": club, "file": SimpleUploadedFile("a.zip", content)})
    waiting = page.get(asked["Location"])
    do_jobs()
    return waiting, page.get(asked["Location"])


def do_jobs():
    for row in ClubFile.objects.filter(made_at=None, failed_at=None):
        make_file_of_club(row.pk)


def test_request_writes_no_results_and_one_archive_at_a_time_is_read(simultaneous):
    page = browser_of(organiser_of(simultaneous))
    address = f"/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/sites/results/"
    posted = [page.post(address, {"club": name, "file": SimpleUploadedFile("a.zip", b"x")}) for name in ("A1", "B2")]
    assert [answer.status_code for answer in posted] == [302, 200]
    assert "making another file for you" in words(posted[1])
    assert 'value="B2"' in posted[1].content.decode()
    assert ClubFile.objects.get().details["club"] == "A1"
    assert not SimultaneousClub.objects.filter(is_elsewhere=True).exists()


def test_doubtful_players_of_results_are_asked_and_the_archive_is_kept(simultaneous, monkeypatch):
    doubts = [FoundPlayer(row, f"Anne no {row}", "", DOUBT) for row in (3, 4)]
    given = []

    def refuse_once_each(*, archive, **_told):
        given.append((archive.content, archive.answers))
        if left := [each for each in doubts if each.row not in archive.answers]:
            raise DoubtfulResults("results_doubtful", left, names=", ".join(each.name for each in left))
        if archive.answers[4] == 7:
            raise ArchiveError("archive_answer", row=4, name="Anne")

    monkeypatch.setattr("outgoing.filing.receive_results", refuse_once_each)
    page = browser_of(organiser_of(simultaneous))
    _waiting, told = post_results(page, simultaneous, b"zip")
    where, shown = told.request["PATH_INFO"], []
    for answers in ({"row-3": "new"}, {"row-3": "new", "row-4": "7"}, {"row-3": "new", "row-4": "new"}):
        shown.append(words(told))
        assert all(f'name="row-{row}"' in told.content.decode() for row in (3, 4))
        page.post(where, answers)
        do_jobs()
        told = page.get(where)
    assert "Say below who these players are: Anne no 3, Anne no 4." in shown[0]
    assert "Say below who these players are: Anne no 4." in shown[1]
    assert "names nobody on the club’s list" in shown[2]
    assert "The results of Tarot Club du Loin are there" in words(told)
    assert [answers for _content, answers in given] == [{}, {3: None}, {3: None, 4: 7}, {3: None, 4: None}]
    assert {content for content, _answers in given} == {b"zip"}
    assert ClubFile.objects.get().content is None


def test_results_whose_manifest_is_a_bomb_are_refused_and_the_form_stays(simultaneous):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", b"[" + b"[]," * 2_000_000 + b"[]]")
    page = browser_of(organiser_of(simultaneous))
    _waiting, answer = post_results(page, simultaneous, out.getvalue(), club="Encore")
    assert "it may have at most 1000 kB" in words(answer)
    assert 'value="Encore"' in answer.content.decode()
    assert not SimultaneousClub.objects.filter(is_elsewhere=True).exists()


def test_key_is_closed_before_its_hour_and_the_other_pages_to_who_does_not_direct():
    simultaneous = make_simultaneous(opens_in=1)
    send(simultaneous)
    base = f"/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/"
    helper = browser_of(make_helper(simultaneous.club, "aide"))
    for page in (browser_of(organiser_of(simultaneous)), helper):
        assert "AGE-SECRET" not in page.get(f"{base}key/").content.decode()
    assert helper.get(f"{base}sites/").status_code == 403
    assert helper.post(f"{base}sites/file/").status_code == 403
