"""The erasure of a person: the name is stored nowhere any more, and the results stay the same."""

import datetime as dt
import json
from decimal import Decimal

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import Erasure, empty_rows, erase
from archives.privacy.everything import PERSONAL_DATA
from archives.privacy.whom import Whom, whom_of_account, whom_of_player
from clubs.accounts.players import make_player_link, tie
from clubs.editing import PlayerRefused, edit_player
from clubs.errors import AccountRefused
from clubs.house import change_settings
from clubs.models import ClubLogEntry, Membership, Player, PlayerLink, User
from clubs.players import add_players, known_of
from clubs.roster import RosterLine
from evenings.plays.penalties import Sanction, give_penalty
from evenings.sessions.seating import seat_players
from evenings.standings import computing
from rankings.publication.building import build_report
from registration.people.applicants import NewApplicant
from registration.people.merging import merge_players
from registration.people.registration import walk_in
from tests.evenings.requests.world import Four
from tests.factories import (
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_user,
    publish,
    started_session,
)
from tests.joined import join_players
from tests.pages.browsing import browser_of
from tests.registration.agenda.evenings import make_evening
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, CorrectionRequest, Entrant, LogEntry, Penalty, PersonalLink, Publication

pytestmark = pytest.mark.django_db
FIRST, LAST, LICENCE = "Hildegarde", "d’Œuvre-Ålund", "LIC-4711"
HIS = ("hildegarde", "hildegard", "œuvre", "oeuvre", "ålund", "alund", "lic-4711", "06 99 88", "groland", "nullepart")
DATA = {"licence": LICENCE, "category": "veteran", "country": "Groland", "origin": "Club de Nullepart"}


def now():
    return timezone.now()


@pytest.fixture
def player(session):
    """Return a player of whom everything is stored that can be."""
    found = session.entrants.get(line="N", number=1).player
    Player.objects.filter(pk=found.pk).update(first_name=FIRST, last_name=LAST, **DATA)
    return Player.objects.select_related("club", "person").get(pk=found.pk)


@pytest.fixture
def everywhere(player, session, director, club):
    """Put the player's name into every text that people type about somebody, and into the log."""
    change_settings(club, {"player_accounts": "open"}, now=now(), by=director)
    entrant = session.entrants.get(player=player)
    told = {"sanction": Sanction(points=Decimal(1)), "reason": f"M. {LAST} a parlé", "by": director, "now": now()}
    four = Four(session, session.plays.filter(north=entrant).first())
    asked = four.ask(f"C’est {FIRST} {LAST} qui a pris")
    give_penalty(session_id=session.pk, entrant_id=entrant.pk, **told)
    CorrectionRequest.objects.filter(pk=asked.pk).update(answer=f"Oui, {FIRST.upper()} {LAST}")
    Publication.objects.update(reason=f"{LAST} {FIRST} avait une mauvaise note")
    LogEntry.objects.create(
        session=session,
        at=now(),
        action="lots_drawn",
        params={"names": f"A B, {FIRST} {LAST}"},
        words=f"{FIRST} {LAST} 3",
    )
    make_player_link(player, now=now(), by=director)
    down = draft_session(club.tournaments.get(), tables=1)
    walk_in(session_id=down.pk, asked=NewApplicant(LAST, FIRST, LICENCE, "06 99 88 77 66"), by=director, now=now())
    seat_players(session_id=down.pk, player_ids=[player.pk])
    (twice,) = add_players(club=club, lines=[RosterLine(LAST, f"{FIRST}-Marie")])
    Player.objects.filter(pk=twice.pk).update(country="Groland")
    merge_players(club=club, kept_id=player.pk, gone_id=twice.pk, by=director, now=now())
    return player


def rows():
    """Return everything in the database as text, by model."""
    return {
        model._meta.label: json.dumps(list(model._base_manager.values()), cls=Bytes, ensure_ascii=False).casefold()
        for model in apps.get_models(include_auto_created=True)
    }


class Bytes(DjangoJSONEncoder):
    def default(self, value):
        return "" if isinstance(value, bytes | memoryview) else super().default(value)


def named(*words):
    return sorted({f"{label}: {word}" for label, text in rows().items() for word in words if word in text})


def figures(session):
    computed = computing.compute(session.pk)
    published = [(each.digest, each.data, each.changes) for each in session.publications.order_by("version")]
    notes = list(Entrant.objects.filter(session=session).order_by("pk").values())
    return build_report(session, computed.data), computed.data, published, notes


def erase_by(director, player):
    return erase(whom_of_player(player), by=director, now=now())


@pytest.mark.nightly("story")
def test_name_is_in_no_row_any_more(everywhere, director):
    assert named(*HIS)
    assert erase_by(director, everywhere)
    assert named(*HIS) == []
    everywhere.refresh_from_db()
    assert str(everywhere.pk) in everywhere.name


@pytest.mark.nightly("story")
def test_results_and_what_is_published_stay_to_the_last_digit(everywhere, session, director):
    before = figures(session)
    erase_by(director, everywhere)
    assert figures(session) == before


@pytest.mark.nightly("story")
def test_twice_is_once_and_the_name_is_free(everywhere, director, club):
    assert erase_by(director, everywhere)
    log = ClubLogEntry.objects.count()
    assert not erase_by(director, everywhere)
    assert ClubLogEntry.objects.count() == log
    assert [known for known in known_of(club) if LAST in (known.last_name, known.first_name)] == []
    (new,) = add_players(club=club, lines=[RosterLine(LAST, FIRST)])
    assert new.pk != everywhere.pk
    with pytest.raises(PlayerRefused) as refused:
        edit_player(club=club, player_id=everywhere.pk, values={"last_name": LAST}, by=director)
    assert refused.value.code == "player_erased"


@pytest.mark.nightly("story")
def test_who_plays_in_a_session_that_goes_on_is_not_erased(director, club):
    session = started_session(club.tournaments.get())
    player = session.entrants.first().player
    with pytest.raises(ActionRefused) as refused:
        erase_by(director, player)
    assert refused.value.code == "erasure_while_playing"
    player.refresh_from_db()
    assert (player.erased_at, player.last_name) == (None, "Nom001")
    enter_all(session, by=director)
    publish(session, by=director)
    assert erase_by(director, player)


@pytest.mark.nightly("story")
def test_coming_evenings_go_on_without_him(everywhere, director):
    down = Applicant.objects.get().session
    assert down.entrants.filter(player=everywhere).exists()
    erase_by(director, everywhere)
    assert not down.entrants.filter(player=everywhere).exists()
    assert Applicant.objects.get().withdrawn_at is not None


@pytest.mark.nightly("story")
def test_what_is_somebody_elses_stays(everywhere, director, club, session):
    other = session.entrants.get(line="S", number=1).player
    Penalty.objects.update(reason="Hildegarde Autre et Paul")
    before = other.name, Player.objects.filter(club=club, erased_at=None).count()
    erase_by(director, everywhere)
    other.refresh_from_db()
    assert (other.name, Player.objects.filter(club=club, erased_at=None).count()) == (before[0], before[1] - 2)
    assert set(Penalty.objects.values_list("reason", flat=True)) == {"Hildegarde Autre et Paul"}


@pytest.mark.nightly("story")
def test_namesake_keeps_his_name_in_the_log(everywhere, director, club):
    Player.objects.create(club=club, person=make_person(), first_name=FIRST, last_name=LAST, licence="OTHER")
    erase_by(director, everywhere)
    assert f"{FIRST} {LAST}" in LogEntry.objects.get(action="lots_drawn").words


def make_person():
    return apps.get_model("clubs", "Person").objects.create()


@pytest.mark.nightly("story")
def test_links_open_nothing_any_more(everywhere, director):
    link = PersonalLink.objects.get(entrant__player=everywhere, revoked_at=None)
    erase_by(director, everywhere)
    assert browser_of().get(reverse("personal", args=[link.token])).status_code == 404
    assert not PlayerLink.objects.exists()


@pytest.fixture
def owner(everywhere, director):
    user = make_user("hildegarde.alund")
    User.objects.filter(pk=user.pk).update(first_name=FIRST, last_name=LAST, email="hildegarde@example.org")
    EmailAddress.objects.create(user=user, email="hildegarde@example.org")
    tie(everywhere, user, by=director, now=now())
    return User.objects.get(pk=user.pk)


@pytest.mark.nightly("story")
def test_account_that_nothing_hangs_on_is_deleted(owner):
    client = browser_of()
    client.post(reverse("login"), {"username": owner.username, "password": "a long passphrase for tests"})
    assert client.get(reverse("account")).status_code == 200
    assert UserSession.objects.exists()
    assert erase(whom_of_account(owner), by=owner, now=now())
    assert named(*HIS) == []
    assert not User.objects.filter(pk=owner.pk).exists()
    assert client.get(reverse("account")).status_code == 302


@pytest.mark.nightly("story")
def test_account_that_entered_results_is_emptied(owner, club, director):
    Membership.objects.create(user=owner, club=club, role="helper")
    session = started_session(club.tournaments.get())
    enter_all(session, by=owner)
    publish(session, by=director)
    assert erase(whom_of_account(owner), by=owner, now=now())
    assert named(*HIS) == []
    left = User.objects.get(pk=owner.pk)
    assert (left.is_active, left.email, left.has_usable_password(), left.memberships.count()) == (False, "", False, 0)


@pytest.mark.nightly("story")
def test_account_goes_with_its_player_by_a_directors_word_where_it_serves_no_other(owner, everywhere, director):
    erase_by(director, everywhere)
    assert not User.objects.filter(pk=owner.pk).exists()


def test_last_director_stays(director, club):
    with pytest.raises(AccountRefused) as refused:
        erase(whom_of_account(director), by=director, now=now())
    assert refused.value.code == "last_director"
    make_director(club, "autre")
    assert erase(whom_of_account(director), by=director, now=now())


@pytest.mark.nightly("story")
def test_director_erases_what_his_club_keeps_alone(owner, everywhere, director):
    elsewhere = make_club("voisin")
    (other,) = add_players(club=elsewhere, lines=[RosterLine(LAST, FIRST, LICENCE)])
    join_players(everywhere, other)
    erase_by(director, everywhere)
    other.refresh_from_db()
    everywhere.refresh_from_db()
    assert (other.name, other.licence, other.erased_at) == (f"{FIRST} {LAST}", LICENCE, None)
    assert (other.account, everywhere.account) == (None, None)
    assert everywhere.erased_at is not None
    assert everywhere.person_id != other.person_id


@pytest.mark.nightly("story")
def test_by_his_own_word_he_is_erased_in_every_club(owner, everywhere, director):
    (other,) = add_players(club=make_club("voisin"), lines=[RosterLine(LAST, FIRST, LICENCE)])
    tie(other, owner, by=owner, now=now())
    assert erase(whom_of_account(owner), by=owner, now=now())
    assert named(*HIS) == []
    assert connection.in_atomic_block


def test_name_of_an_account_that_stays_is_not_taken_out_of_texts(club, director):
    (player,) = add_players(club=club, lines=[RosterLine("Durand", "Zoé")])
    for whom in (Whom((player.pk,), player.person_id, director), Whom((player.pk,), player.person_id)):
        erasure = Erasure(whom, [club.pk], account=whom.account is None)
        assert erasure.name.take_out("directrice, Zoé Durand") == f"directrice, {erasure.name.number}"


def test_revoked_link_keeps_its_day_and_another_one_gets_that_of_the_erasure(club, director):
    (player,) = add_players(club=club, lines=[RosterLine("Durand", "Zoé")])
    entrant = Entrant.objects.create(session=make_evening("2026-11-20", club=club), player=player, line="N", number=1)
    before, day = now() - dt.timedelta(days=9), now()
    for token, revoked_at in (("a", before), ("b", None)):
        PersonalLink.objects.create(entrant=entrant, token=token, code=token, made_at=before, revoked_at=revoked_at)
    (kept,) = (each for each in PERSONAL_DATA if each.name == "personal_links")
    empty_rows(kept, Erasure(whom_of_player(player), [club.pk], account=False), now=day)
    links = PersonalLink.objects.order_by("pk")
    assert list(links.values_list("revoked_at", flat=True)) == [before, day]
    assert not links.filter(token__in="ab").exists()
