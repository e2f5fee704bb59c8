"""The exchange of sealed files: the organiser's site makes one, and its key; a club of another site reads and opens it.

The child process that reads a sealed file needs no database, so nothing of this is in `sealed_file`.
"""

import datetime as dt
import uuid

from django.db import transaction
from django.db.models import Q

from archives.elsewhere.sealed_file import (
    AboutSimultaneous,
    SealedFile,
    draw_key,
    open_cards,
    read_sealed_file,
    write_sealed_file,
)
from archives.errors import SealedFileError
from clubs.log import log_club_action
from clubs.models import Club, User
from clubs.uploads.child import read_in_child
from deals.copies import make_copy, set_hours
from deals.domain.deal import dumps
from deals.domain.dealing import commitment, mix_seed, seed_commitment
from deals.models import DealLook, DealSet, Etui
from deals.sets import deal_awaited_etuis, record_look
from rankings.publication.etuis import make_etui_set
from rankings.simultaneous.setup import find_free_address
from rankings.simultaneous.writing import lock_secret_simultaneous, lock_simultaneous, touch_simultaneous
from tournaments.locks import lock_club, lock_deal_set, lock_session
from tournaments.models import SealedEtuis, Session, Simultaneous, SimultaneousClub

EXAMINE = "archives.elsewhere.sealed_file.examine_sealed_file"  # what the child process does with a file


@transaction.atomic
def send_sealed_file(*, simultaneous_id: int, address: str, by: User, now: dt.datetime) -> bytes:
    """Return the sealed file of a simultaneous for other sites. `address` is its public page on this site.

    Its key is drawn with the first file, and stays. The log of looks and the club's log record who made the file:
    whoever has the file and the key knows all cards.
    """
    simultaneous = lock_simultaneous(simultaneous_id)
    sealed, _made = SealedEtuis.objects.get_or_create(
        simultaneous=simultaneous, defaults={"key": uuid.uuid4(), "secret": draw_key(), "made_at": now}
    )
    deal_set = simultaneous.deal_set
    etuis = list(deal_set.etuis.order_by("number"))
    record_look(
        deal_set=deal_set,
        user=by,
        first=etuis[0].number,
        last=etuis[-1].number,
        now=now,
        kind=DealLook.LookKind.EXPORTED,
        document="sealed",
    )
    log_club_action(simultaneous.club, "sealed_file_made", now=now, by=by, simultaneous=simultaneous.title)
    about = AboutSimultaneous(
        key=sealed.key,
        title=simultaneous.title,
        organiser=simultaneous.club.name,
        address=address,
        opens_at=simultaneous.opens_at,
        closes_at=simultaneous.closes_at,
        public_at=simultaneous.public_at,
    )
    return write_sealed_file(about, make_etui_set(deal_set, etuis, with_seed=True), sealed.secret)


def read_sealed_key(simultaneous: Simultaneous, now: dt.datetime) -> str:
    """Return the key that opens the sealed cards, from the opening hour on. Before it, return ""."""
    if now < simultaneous.opens_at:
        return ""
    return SealedEtuis.objects.filter(simultaneous=simultaneous).values_list("secret", flat=True).first() or ""


def receive_sealed_file(*, club: Club, content: bytes, by: User, now: dt.datetime) -> Simultaneous:
    """Let a club take part in a simultaneous of another site. Return the simultaneous as this club has it.

    The club gets a master without cards and its own copy of it. If the club sends a file of the same simultaneous
    again, its hours replace those of the older file.

    Raise `SealedFileError` if the file cannot be read, or if its public hour is over. Raise it also for other étuis
    than those of the club's first file. A simultaneous of this site is refused too: its link invites the club.
    """
    read_in_child(EXAMINE, content, refusal=SealedFileError)
    return take_in(read_sealed_file(content), club=club, content=content, by=by, now=now)


@transaction.atomic
def take_in(sealed: SealedFile, *, club: Club, content: bytes, by: User, now: dt.datetime) -> Simultaneous:
    """Write a sealed file that was read, and return its simultaneous. For the errors see `receive_sealed_file`."""
    if sealed.about.public_at <= now:
        raise SealedFileError("sealed_over")
    lock_club(club.pk)
    organised = Simultaneous.objects.filter(deal_set__commitment=sealed.etuis.commitment)
    if organised.filter(Q(sealed=None) | Q(sealed__content=None)).exists():
        raise SealedFileError("sealed_own")
    row = SealedEtuis.objects.filter(simultaneous__club=club, key=sealed.about.key).first()
    if row is not None:
        return receive_again(row, sealed, content, by=by, now=now)
    simultaneous = Simultaneous.objects.create(
        club=club,
        title=sealed.about.title[:120],
        slug=find_free_address(club, sealed.about.title),
        deal_set=make_bare_master(club, sealed, by=by, now=now),
        opens_at=sealed.about.opens_at,
        closes_at=sealed.about.closes_at,
        public_at=sealed.about.public_at,
        created_at=now,
    )
    SealedEtuis.objects.create(
        simultaneous=simultaneous,
        key=sealed.about.key,
        content=content,
        organiser=sealed.about.organiser[:120],
        address=sealed.about.address[:300],
        made_at=now,
    )
    copy = make_copy(master=simultaneous.deal_set, club=club, name=simultaneous.title, by=by, now=now)
    SimultaneousClub.objects.create(
        simultaneous=simultaneous,
        club=club,
        deal_set=copy,
        invited_at=now,
        invited_by=by,
        agreed_at=now,
        agreed_by=by,
    )
    log_club_action(club, "sealed_file_received", now=now, by=by, simultaneous=simultaneous.title)
    return simultaneous


def receive_again(
    known: SealedEtuis, sealed: SealedFile, content: bytes, *, by: User, now: dt.datetime
) -> Simultaneous:
    """Replace the file and the hours of a simultaneous that the club has already."""
    playing = Session.objects.filter(deal_set__master__simultaneous=known.simultaneous_id)
    for session_id in playing.order_by("pk").values_list("pk", flat=True):
        lock_session(session_id, no_key=True)
    simultaneous = lock_secret_simultaneous(known.simultaneous_id, now)
    if known.content is None or describe_etuis(read_sealed_file(bytes(known.content))) != describe_etuis(sealed):
        raise SealedFileError("sealed_commitment_differs")
    about = sealed.about
    known.content, known.organiser, known.address = content, about.organiser[:120], about.address[:300]
    known.save(update_fields=["content", "organiser", "address"])
    hours = {name: getattr(about, name) for name in ("opens_at", "closes_at", "public_at")}
    Simultaneous.objects.filter(pk=simultaneous.pk).update(**hours)
    set_hours(simultaneous.deal_set, opens_at=about.opens_at, held_until=about.public_at)
    playing.filter(held_until__isnull=False).update(held_until=about.public_at)
    log_club_action(simultaneous.club, "sealed_file_received", now=now, by=by, simultaneous=simultaneous.title)
    touch_simultaneous(simultaneous)
    return simultaneous


def describe_etuis(sealed: SealedFile) -> tuple[object, ...]:
    return (sealed.etuis.commitment, *((each.number, each.taker, each.dealer) for each in sealed.etuis.etuis))


def make_bare_master(club: Club, sealed: SealedFile, *, by: User, now: dt.datetime) -> DealSet:
    """Create and return the master of a sealed file: étuis with taker and dealer, the commitment, no seed, no cards."""
    etuis = sealed.etuis
    master = DealSet.objects.create(
        club=club,
        name=sealed.about.title[:120],
        players=etuis.players,
        commitment=etuis.commitment,
        profile=etuis.profile,
        value_name=etuis.value_name,
        value=etuis.value,
        created_at=now,
        created_by=by,
        sealed_at=now,
        opens_at=sealed.about.opens_at,
        held_until=sealed.about.public_at,
    )
    Etui.objects.bulk_create(
        Etui(
            deal_set=master,
            number=each.number,
            taker=each.taker or "",
            dealer=each.dealer,
            origin=Etui.Origin.AWAITED,
        )
        for each in etuis.etuis
    )
    return master


@transaction.atomic
def open_sealed_cards(*, simultaneous_id: int, key: str, by: User, now: dt.datetime) -> Simultaneous:
    """Open the cards of a received simultaneous with the organiser's key, and deal them into its master.

    A second call changes nothing. Raise `SealedFileError` if the key is wrong, or if the cards are not those of the
    seed that was announced.
    """
    simultaneous = lock_simultaneous(simultaneous_id)
    sealed = SealedEtuis.objects.get(simultaneous=simultaneous)
    if sealed.content is None or sealed.opened_at is not None:
        return simultaneous
    opened = open_cards(read_sealed_file(bytes(sealed.content)), key)
    seed = bytes.fromhex(opened.seed)
    if commitment(seed, opened.players, opened.profile, opened.value_name) != opened.commitment:
        raise SealedFileError("sealed_commitment_differs")
    master = lock_deal_set(simultaneous.deal_set_id)
    master.seed, master.seed_digest = opened.seed, seed_commitment(seed)
    master.save(update_fields=["seed", "seed_digest"])
    deal_awaited_etuis(master, mix_seed(seed, opened.value) if opened.value else seed)
    dealt = dict(master.etuis.values_list("number", "cards"))
    for each in opened.etuis:
        if each.deal is None or dumps(each.deal) != dealt[each.number]:
            raise SealedFileError("sealed_cards_differ", number=each.number)
    DealSet.objects.filter(master=master).update(seed_digest=master.seed_digest)
    sealed.opened_at = now
    sealed.save(update_fields=["opened_at"])
    log_club_action(simultaneous.club, "sealed_cards_opened", now=now, by=by, simultaneous=simultaneous.title)
    return simultaneous
