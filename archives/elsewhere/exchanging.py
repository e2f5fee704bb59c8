"""The sealed files of a simultaneous: the organiser's site makes one, and its key; another site opens both.

Any program of age decrypts the cards, if it has the key. They are then a set of étuis in JSON, as the site exports it.
"""

import datetime as dt
import io
import lzma
import uuid
import zipfile
import zlib
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import pyrage
from django.db import transaction
from django.db.models import Q

from archives.errors import SealedFileError
from clubs.log import log_club_action
from clubs.models import Club, User
from clubs.names import drop_hidden
from clubs.uploads.child import open_packed, read_in_child
from deals.copies import make_copy, set_hours
from deals.domain.deal import dumps
from deals.domain.dealing import commitment, mix_seed, seed_commitment
from deals.domain.exchange import EtuiSet, read_json, write_json
from deals.domain.reading import ExchangeError
from deals.models import DealLook, DealSet, Etui
from deals.sets import deal_awaited_etuis, record_look
from rankings.publication.etuis import make_etui_set
from rankings.simultaneous.setup import find_free_address
from rankings.simultaneous.writing import lock_secret_simultaneous, lock_simultaneous, touch_simultaneous
from tournaments.locks import lock_club, lock_deal_set, lock_session
from tournaments.models import SealedEtuis, Session, Simultaneous, SimultaneousClub

FORMAT: Final = "topage-simultaneous"
VERSION: Final = 1
ABOUT, ETUIS, CARDS = "simultaneous.json", "etuis.json", "etuis.json.age"
FOUR = 4
MOST_BYTES = 5_000_000
YEARS = range(2000, 2100)
NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest moment that ZIP knows


class AboutSimultaneous(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts about a simultaneous that other sites need. `address`: its page on the organiser's site."""

    key: UUID
    title: str
    organiser: str
    address: str
    opens_at: dt.datetime
    closes_at: dt.datetime
    public_at: dt.datetime
    format: str = FORMAT
    version: int = VERSION


class SealedFile(NamedTuple):
    """A sealed file that was read: the facts, the étuis without cards, and the encrypted cards."""

    about: AboutSimultaneous
    etuis: EtuiSet
    cards: bytes


def draw_key() -> str:
    """Return a new key that opens sealed cards, as text in the format of age."""
    return str(pyrage.x25519.Identity.generate())


def write_sealed_file(about: AboutSimultaneous, etui_set: EtuiSet, key: str) -> bytes:
    """Return the bytes of the file. `etui_set` has the cards and the seed: they are only in the encrypted part."""
    recipient = pyrage.x25519.Identity.from_str(key).to_public()
    files = {
        ABOUT: msgspec.json.format(msgspec.json.encode(about), indent=1),
        ETUIS: write_json(without_cards(etui_set)).encode(),
        CARDS: pyrage.encrypt(write_json(etui_set).encode(), [recipient]),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name, NO_TIME), content)
    return out.getvalue()


def without_cards(etui_set: EtuiSet) -> EtuiSet:
    """Return the set without its seed and without the cards of its étuis. It keeps the commitment."""
    return replace(etui_set, seed="", etuis=tuple(replace(each, deal=None) for each in etui_set.etuis))


def read_sealed_file(content: bytes) -> SealedFile:
    """Return the parts of a sealed file. Its cards stay encrypted.

    Raise `SealedFileError` if it is another file, is damaged or too large, comes from a newer release, or has étuis for
    three or five players.
    """
    files = unpack_files(content)
    try:
        about = msgspec.json.decode(files[ABOUT], type=dict)
        if about.get("format") != FORMAT:
            raise SealedFileError("sealed_other")
        if about.get("version") != VERSION:
            raise SealedFileError("sealed_newer", version=str(about.get("version"))[:20], ours=VERSION)
        about_simultaneous = msgspec.convert(about, AboutSimultaneous)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SealedFileError("sealed_damaged") from error
    about_simultaneous = in_utc(about_simultaneous)
    if not about_simultaneous.opens_at < about_simultaneous.closes_at <= about_simultaneous.public_at:
        raise SealedFileError("sealed_hours")
    etuis = read_etuis(files[ETUIS])
    if not etuis.commitment or etuis.seed or any(each.deal for each in etuis.etuis):
        raise SealedFileError("sealed_damaged")
    if etuis.players != FOUR:
        raise SealedFileError("sealed_players", players=etuis.players)
    return SealedFile(about_simultaneous, etuis, files[CARDS])


def examine_sealed_file(content: bytes) -> bytes:
    """Read a sealed file in a child process. Return nothing: the site reads it again when it knows what this takes."""
    read_sealed_file(content)
    return b""


def in_utc(about: AboutSimultaneous) -> AboutSimultaneous:
    """Return the facts with their hours in UTC and without control characters.

    Raise `SealedFileError` for an hour without time zone, or of another century.
    """
    hours = {}
    for name in ("opens_at", "closes_at", "public_at"):
        hour = getattr(about, name)
        if hour.tzinfo is None or hour.year not in YEARS:
            raise SealedFileError("sealed_damaged")
        hours[name] = hour.astimezone(dt.UTC)
    texts = {
        name: drop_hidden("".join(letter for letter in getattr(about, name) if letter.isprintable()))
        for name in ("title", "organiser", "address")
    }
    if not texts["address"].startswith(("https://", "http://")):  # a page links to it
        texts["address"] = ""
    return msgspec.structs.replace(about, **hours, **texts)


def unpack_files(content: bytes) -> dict[str, bytes]:
    """Return the three files of the ZIP by name. Sizes are measured while unpacking."""
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    try:
        with open_packed(content, SealedFileError) as packed:
            if sorted(packed.namelist()) != sorted((ABOUT, ETUIS, CARDS)):
                raise SealedFileError("sealed_other")
            for name in packed.namelist():
                with packed.open(name) as file:
                    files[name] = file.read(left + 1)
                left -= len(files[name])
                if left < 0:
                    raise SealedFileError("sealed_large", most=MOST_BYTES // 10**6)
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        OSError,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise SealedFileError("sealed_no_zip") from error
    return files


def read_etuis(text: bytes) -> EtuiSet:
    try:
        return read_json(text.decode())
    except UnicodeDecodeError as error:
        raise SealedFileError("sealed_damaged") from error
    except ExchangeError as error:
        raise SealedFileError("sealed_set", error=str(error)) from error


def open_cards(sealed: SealedFile, key: str) -> EtuiSet:
    """Return the étuis with their cards and their seed.

    Raise `SealedFileError` if the key does not open the cards, or if an étui is not the one that was announced.
    """
    try:
        identity = pyrage.x25519.Identity.from_str(key.strip())
    except pyrage.IdentityError as error:
        raise SealedFileError("no_sealed_key") from error
    try:
        text = pyrage.decrypt(sealed.cards, [identity])
    except pyrage.DecryptError as error:
        if "No matching keys" in str(error):
            raise SealedFileError("other_sealed_key") from error
        raise SealedFileError("sealed_damaged") from error
    opened = read_etuis(bytes(text))
    check_announced(sealed.etuis, opened)
    return opened


def check_announced(announced: EtuiSet, opened: EtuiSet) -> None:
    """Raise `SealedFileError` unless the opened set is the announced one, with a seed and cards besides."""
    if not opened.seed or describe_set(announced) != describe_set(opened):
        raise SealedFileError("sealed_commitment_differs")
    for before, after in zip(announced.etuis, opened.etuis, strict=True):
        if (before.number, before.taker, before.dealer) != (after.number, after.taker, after.dealer) or not after.deal:
            raise SealedFileError("sealed_cards_differ", number=after.number)


def describe_set(etui_set: EtuiSet) -> tuple[object, ...]:
    facts = (etui_set.players, etui_set.commitment, etui_set.profile, etui_set.value_name, etui_set.value)
    return (*facts, len(etui_set.etuis))


EXAMINE = "archives.elsewhere.exchanging.examine_sealed_file"  # what the child process does with a file


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
