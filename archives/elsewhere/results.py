"""The results of clubs on other sites: an archive comes in, and its session counts in the field."""

import datetime as dt
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from archives.archive.people import FoundPlayer
from archives.archive.restoring import NO_ANSWERS, ArchiveDoubts, TournamentImport, examine_upload
from archives.errors import SealedFileError
from clubs.accounts.founding import make_club
from clubs.log import log_club_action
from clubs.models import Club, ClubSettings, User
from clubs.uploads.child import IN_JOB
from deals.copies import open_to_everybody
from deals.models import DealSet, Etui
from evenings.sessions.put_away import put_tournament_away
from rankings.simultaneous.writing import lock_simultaneous, touch_simultaneous
from tournaments.locks import lock_session, lock_tournament
from tournaments.models import Session, Simultaneous, SimultaneousClub, Tournament


class ReceivedArchive(NamedTuple):
    """An archive of a club on another site, with the name of the club.

    `answers` are the director's answers about players with namesakes, by the row in the archive: a player, or None for
    somebody new.
    """

    club: str
    content: bytes
    answers: Mapping[int, int | None] = NO_ANSWERS


class DoubtfulResults(ArchiveDoubts):
    """A refusal because of players who may be players of an earlier archive. Nothing was written."""

    def __init__(self, code: str, doubts: Sequence[FoundPlayer], *, names: str) -> None:
        super().__init__(code, names=names)
        self.doubts = doubts


def receive_results(*, simultaneous_id: int, archive: ReceivedArchive, by: User, now: dt.datetime) -> Session:
    """Let the session in an archive count as that of a club on another site. Return the session as this site has it.

    A job calls this, because many tables take longer than a request may.

    The site founds a club with this name for its players and results; nobody has a role in it. The archive is matched
    by the commitment of its étuis. An archive that is sent again replaces the older one, whose sessions are put away.
    Raise `SealedFileError` if the archive does not play exactly these étuis, and `ArchiveError` if it cannot be read.
    If players have namesakes in the club's list, `DoubtfulResults` has the questions.
    """
    examine_upload(archive.content, IN_JOB)
    return count_results(simultaneous_id=simultaneous_id, archive=archive, by=by, now=now)


@transaction.atomic
def count_results(*, simultaneous_id: int, archive: ReceivedArchive, by: User, now: dt.datetime) -> Session:
    """Write the results of an examined archive, and return its session. For the errors see `receive_results`."""
    lock_former_results(simultaneous_id)
    simultaneous = lock_simultaneous(simultaneous_id)
    club = find_guest(simultaneous, archive.club.strip())
    row = SimultaneousClub.objects.filter(simultaneous=simultaneous, club=club, left_at=None).first()
    if row is not None:
        put_former_away(row, by=by, now=now)
    imported = TournamentImport.read(io.BytesIO(archive.content), club, archive.answers)
    same = SimultaneousClub.objects.filter(session__tournament__archive_key=imported.archive.key, left_at=None)
    if other := same.filter(simultaneous=simultaneous).exclude(club=club).select_related("club").first():
        raise SealedFileError("results_counted", club=other.club.name)
    if imported.doubts:
        names = ", ".join(dict.fromkeys(each.name for each in imported.doubts))
        raise DoubtfulResults("results_doubtful", imported.doubts, names=names)
    tournament = imported.carry_out(by=by, now=now)
    session = find_session_of(simultaneous, tournament)
    copy = session.deal_set
    assert copy is not None
    check_same_etuis(simultaneous.deal_set, copy)
    master = simultaneous.deal_set
    copy.master, copy.seed, copy.seed_digest = master, "", master.seed_digest
    copy.revealed_at, copy.opens_at, copy.held_until = None, master.opens_at, master.held_until
    copy.save(update_fields=["master", "seed", "seed_digest", "revealed_at", "opens_at", "held_until"])
    session.held_until = simultaneous.public_at if now < simultaneous.public_at else None
    session.save(update_fields=["held_until"])
    fields = {"deal_set": copy, "session": session}
    if row is None:
        SimultaneousClub.objects.create(
            simultaneous=simultaneous,
            club=club,
            is_elsewhere=True,
            invited_at=now,
            invited_by=by,
            agreed_at=now,
            agreed_by=by,
            **fields,
        )
    else:
        SimultaneousClub.objects.filter(pk=row.pk).update(**fields)
    if master.revealed_at is not None:  # the archive came after the public hour
        open_to_everybody(master=master, now=now)
    touch_simultaneous(simultaneous)
    log_club_action(
        simultaneous.club, "results_received", now=now, by=by, simultaneous=simultaneous.title, other_club=club.name
    )
    return session


def lock_former_results(simultaneous_id: int) -> None:
    """Lock the tournaments and the sessions that archives have brought, before the simultaneous, as all writes do."""
    former = Session.objects.filter(
        simultaneous_club__simultaneous=simultaneous_id, simultaneous_club__is_elsewhere=True
    )
    for tournament in sorted(former.values_list("tournament", flat=True)):
        lock_tournament(tournament, no_key=True)
    for session in former.order_by("pk").values_list("pk", flat=True):
        lock_session(session, no_key=True)


def find_guest(simultaneous: Simultaneous, name: str) -> Club:
    """Return the club that stands for a club on another site. It is founded with its first results, and no list has it.

    Raise `SealedFileError` if a club of this site has this name.
    """
    rows = SimultaneousClub.objects.filter(simultaneous=simultaneous, club__name=name, left_at=None)
    guest = rows.select_related("club").first()
    if guest is None:
        if Club.objects.filter(name__iexact=name, memberships__isnull=False).exists():
            raise SealedFileError("results_club_here", club=name)
        club = make_club(name)
        ClubSettings.objects.create(club=club, listed=False, indexed=False)
        return club
    if not guest.is_elsewhere:
        raise SealedFileError("results_club_plays", club=name)
    return guest.club


def put_former_away(row: SimultaneousClub, *, by: User, now: dt.datetime) -> None:
    """Put the results away that a newer archive of the same club replaces."""
    if row.session is None:
        return
    former = row.session.tournament_id
    SimultaneousClub.objects.filter(pk=row.pk).update(session=None, deal_set=None)
    Tournament.objects.filter(pk=former).update(archive_key=None)
    put_tournament_away(tournament_id=former, by=by, now=now)


def find_session_of(simultaneous: Simultaneous, tournament: Tournament) -> Session:
    """Return the session of a tournament that plays the étuis of the simultaneous."""
    played = tournament.sessions.filter(deal_set__commitment=simultaneous.deal_set.commitment, put_away_at=None)
    sessions = list(played.select_related("deal_set"))
    if not sessions:
        raise SealedFileError("results_of_none")
    if len(sessions) > 1:
        raise SealedFileError("results_of_two")
    return sessions[0]


def check_same_etuis(master: DealSet, copy: DealSet) -> None:
    """Raise `SealedFileError` unless the étuis of a copy are those of the master: takers, dealers and known cards."""
    dealt = {etui.number: etui for etui in master.etuis.all()}
    for etui in Etui.objects.filter(deal_set=copy):
        dealt_etui = dealt.get(etui.number)
        same = dealt_etui is not None and (etui.taker, etui.dealer) == (dealt_etui.taker, dealt_etui.dealer)
        if not same or (etui.cards and dealt_etui is not None and etui.cards != dealt_etui.cards):
            raise SealedFileError("results_other_etuis", number=etui.number)
