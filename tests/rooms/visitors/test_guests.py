"""The guests and accounts as visitors: found again by a cookie, kept by an account, forgotten after 30 days."""

import datetime as dt
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from archives.privacy.periods import forget_what_is_over
from clubs.accounts.players import tie
from clubs.models import Person, Player, Visibility
from rooms.models import Game, Room, RoomSeat, Visitor, VisitorEtui
from rooms.opening import join_room
from rooms.visitors.finding import VISITOR_COOKIE, find_device_guest, find_visitor
from rooms.visitors.guests import (
    check_guest_first,
    copy_met_etuis,
    ensure_visitor,
    keep_guest,
    make_guest,
    mark_program,
    note_visit,
    part_from_guest,
)
from rooms.visitors.names import VisitorRefused, show_visitor_names
from tests.rooms.tables import open_room

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def ask(token="", user=None):
    """Return a request of a device with this token in its cookie, and of this account."""
    return SimpleNamespace(COOKIES={VISITOR_COOKIE: token} if token else {}, user=user or AnonymousUser())


def make_guest_of(name="Paul"):
    return make_guest(name=name, now=NOW)


def meet(visitor, etuis):
    VisitorEtui.objects.bulk_create(VisitorEtui(visitor=visitor, etui=etui, shown_at=NOW) for etui in etuis)


def met_by(visitor):
    return set(VisitorEtui.objects.filter(visitor=visitor).values_list("etui", flat=True))


def sit(visitor, deal_set, *, minutes=0, closed=False):
    """Return the seat of a visitor in a room of its own, or in the room of this set."""
    opens = NOW + dt.timedelta(minutes=minutes)
    told = {"closes_at": opens + dt.timedelta(minutes=29), "etuis": 4, "level": 0, "bots_version": "1"}
    told |= {"kind": "half", "opens_at": opens, "closed_at": NOW if closed else None}
    room, _made = Room.objects.get_or_create(deal_set=deal_set, defaults=told)
    table = room.tables.create(number=room.tables.count() + 1)
    return RoomSeat.objects.create(room=room, table=table, letter="S", visitor=visitor, joined_at=NOW)


def test_guest_is_found_by_the_token_of_which_only_the_digest_is_stored():
    guest, token = make_guest_of()
    assert find_visitor(ask(token)) == guest
    assert token not in str(Visitor.objects.values().get())
    assert [find_visitor(ask(wrong)) for wrong in ("", f"{token}x", guest.cookie_digest)] == [None, None, None]


def test_account_comes_before_the_guest_of_its_device(account):
    guest, token = make_guest_of()
    assert find_visitor(ask(token, account)) is None
    mine = ensure_visitor(account=account, name="Solo", now=NOW)
    assert find_visitor(ask(token, account)) == mine
    assert find_device_guest(ask(token, account)) == guest


def test_account_without_a_club_needs_a_name_and_gets_one_that_is_free(account):
    make_guest_of("Solo")
    with pytest.raises(VisitorRefused, match="guest_name_short"):
        ensure_visitor(account=account, now=NOW)
    visitor = ensure_visitor(account=account, name="Solo", now=NOW)
    assert (visitor.name, ensure_visitor(account=account, name="Autre", now=NOW)) == ("Solo 2", visitor)


def make_player(directrice, account, shown=Visibility.NAME):
    club = directrice.memberships.get().club
    person = Person.objects.create(shown=shown)
    player = Player.objects.create(club=club, person=person, last_name="Martin", first_name="Zoé", country="Suisse")
    tie(player, account, by=directrice, now=NOW)
    Person.objects.update(shown=shown)
    return player


@pytest.mark.parametrize(
    ("shown", "name", "named"),
    [("name", "Zoé Martin", True), ("initials", "Z. M.", False), ("hidden", "Joueur masqué", False)],
)
def test_account_is_shown_as_its_player_is(directrice, account, shown, name, named):
    make_player(directrice, account, shown)
    visitor = ensure_visitor(account=account, name="Solo", now=NOW)
    told = show_visitor_names([visitor])[visitor.pk]
    assert (visitor.name, told.name, told.is_named, told.is_guest) == ("", name, named, False)
    assert told.country == ("" if shown == "hidden" else "Suisse")


def test_guest_program_and_number_are_told_apart(django_assert_num_queries):
    guest, other = make_guest_of()[0], make_guest_of("Robot")[0]
    mark_program(other)
    gone = Visitor.objects.create(created_at=NOW, seen_at=NOW, forgotten_at=NOW)
    with django_assert_num_queries(0):
        told = show_visitor_names([guest, other, gone])
    assert told[guest.pk][:4] == ("Paul", True, True, False)
    assert told[other.pk][:4] == ("Robot", True, True, True)
    assert told[gone.pk][:4] == (f"Joueur n°\xa0{gone.pk}", False, False, False)


def test_guest_becomes_a_new_account_with_everything_played(account, etuis):
    guest, token = make_guest_of()
    meet(guest, etuis)
    kept = keep_guest(visitor=guest, account=account, now=NOW)
    assert (kept.pk, kept.account, kept.name, kept.cookie_digest) == (guest.pk, account, "Paul", "")
    assert find_visitor(ask(token)) is None
    assert met_by(kept) == {etui.pk for etui in etuis}


def test_results_of_a_guest_follow_into_an_account_that_plays_already(account, etuis):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    guest, token = make_guest_of()
    meet(own, etuis[:2])
    meet(guest, etuis[1:3])
    seat = sit(guest, etuis[0].deal_set, closed=True)
    assert keep_guest(visitor=guest, account=account, now=NOW) == own
    seat.refresh_from_db()
    guest.refresh_from_db()
    assert (seat.visitor, met_by(own)) == (own, {etui.pk for etui in etuis[:3]})
    assert (guest.name, guest.cookie_digest, guest.forgotten_at, met_by(guest)) == ("", "", NOW, set())
    assert find_visitor(ask(token)) is None


def test_nobody_is_ranked_twice_in_one_room(account, etuis):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    guest, _token = make_guest_of()
    mine, twice = sit(own, etuis[0].deal_set), sit(guest, etuis[0].deal_set)
    keep_guest(visitor=guest, account=account, now=NOW)
    for seat in (mine, twice):
        seat.refresh_from_db()
    assert (mine.visitor, mine.left_out_at) == (own, None)
    assert (twice.visitor, twice.left_out_at, twice.left_out_reason) == (
        guest,
        NOW,
        "Ce joueur joue aussi dans cette salle avec un compte.",
    )


def test_closed_ranking_stays_when_its_guest_is_kept(account, etuis):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    guest, _token = make_guest_of()
    for visitor in (own, guest):
        seat = sit(visitor, etuis[0].deal_set, closed=True)
        RoomSeat.objects.filter(pk=seat.pk).update(rank=1)
    keep_guest(visitor=guest, account=account, now=NOW)
    assert set(RoomSeat.objects.values_list("visitor", "rank", "left_out_at")) == {
        (own.pk, 1, None),
        (guest.pk, 1, None),
    }


def test_account_finds_that_it_has_met_what_the_guest_of_its_device_met(account, etuis):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    guest, token = make_guest_of()
    meet(guest, etuis[:2])
    assert find_visitor(ask(token, account)) == own
    assert met_by(own) == met_by(guest)


def test_account_that_parts_from_a_guest_has_met_the_same_etuis(account, etuis):
    guest, _token = make_guest_of()
    meet(guest, etuis)
    part_from_guest(guest=guest, account=account, now=NOW)
    assert met_by(Visitor.objects.get(account=account)) == met_by(guest)


def test_account_does_not_join_where_the_guest_of_its_device_plays(account, etuis):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    guest, _token = make_guest_of()
    room = sit(guest, etuis[0].deal_set).room_id
    with pytest.raises(VisitorRefused, match="guest_plays_here"):
        check_guest_first(guest=guest, visitor=own, room_id=room)
    sit(own, etuis[0].deal_set)
    check_guest_first(guest=guest, visitor=own, room_id=room)


def test_account_and_forgotten_guest_cannot_be_kept(account, directrice):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    gone = Visitor.objects.create(created_at=NOW, seen_at=NOW, forgotten_at=NOW)
    for visitor in (own, gone):
        with pytest.raises(VisitorRefused, match="not_a_guest"):
            keep_guest(visitor=visitor, account=directrice, now=NOW)


def test_device_that_met_an_etui_as_a_guest_does_not_meet_it_by_account(account, etuis):
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    guest, _token = make_guest_of()
    meet(guest, etuis[:3])
    meet(own, etuis[:1])
    assert [copy_met_etuis(guest=guest, visitor=own) for _time in range(2)] == [2, 0]
    assert met_by(own) == met_by(guest)


def test_visit_is_noted_at_most_once_a_minute():
    guest, _token = make_guest_of()
    noted = []
    for seconds in (10, 59, 70, 100, 140):
        note_visit(guest, now=NOW + dt.timedelta(seconds=seconds))
        guest.refresh_from_db()
        noted.append(guest.seen_at - NOW)
    assert noted == [dt.timedelta(seconds=seconds) for seconds in (0, 0, 70, 70, 140)]


def begin_deal(guest):
    room = open_room(level=0)
    table = join_room(room_id=room.pk, visitor=guest, now=room.opens_at)
    Game.objects.create(table=table, etui=room.deal_set.etuis.first(), begun_at=room.opens_at)


def test_guest_is_forgotten_after_30_days_and_stays_a_number(account):
    guest, token = make_guest_of()
    own = ensure_visitor(account=account, name="Solo", now=NOW)
    begin_deal(guest)  # without one the guest would be deleted after two days
    forget_what_is_over(NOW + dt.timedelta(days=30))
    assert find_visitor(ask(token)) == guest
    forget_what_is_over(NOW + dt.timedelta(days=30, seconds=1))
    guest.refresh_from_db()
    own.refresh_from_db()
    assert (guest.name, guest.cookie_digest, guest.forgotten_at) == ("", "", NOW + dt.timedelta(days=30))
    assert (own.name, own.forgotten_at, find_visitor(ask(token))) == ("Solo", None, None)
