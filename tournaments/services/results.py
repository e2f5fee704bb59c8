"""Writes of an evening: entering and correcting results, annulling and restoring plays.

Every write locks its play, looks again, adds a row, raises the session's results version and asks for new standings.
"""

import datetime as dt
from typing import cast

from django.db import transaction
from django.db.models import F

from clubs.models import User
from scoring.contract import rules_named
from tournaments.domain.entry import Auction, Entry, check
from tournaments.entries import entry_of, taker_named, to_row
from tournaments.errors import Conflict, Refused
from tournaments.models import Play, ResultEntry, Ruling, Session
from tournaments.permissions import may_see_result, power_of
from tournaments.queue import queue_standings


@transaction.atomic
def enter_result(*, play_id: int, entry: Entry, by: User, now: dt.datetime, device: str = "") -> ResultEntry:
    """The first result of a play. The same entry again changes nothing; another one is a `Conflict`.

    Who may not see the result that is there gets the `Conflict` either way, so that nobody can guess it.
    """
    play = locked_play(play_id)
    check_entry(play, entry)
    current = play.entries.filter(current=True).first()
    if current is not None:
        power = power_of(by, play.session.tournament.club)
        if entry_of(current) == entry and may_see_result(by, power, current.author_id):
            return current
        raise Conflict("result_already_entered")
    return add_entry(play, entry, version=1, by=by, now=now, device=device, reason="")


@transaction.atomic
def correct_result(
    *, play_id: int, entry: Entry, reason: str, seen_version: int, by: User, now: dt.datetime, device: str = ""
) -> ResultEntry:
    """A new version of a play's result, with its reason; the old one stays.

    `seen_version` is the version that its author had before his eyes: where another one counts by now, a `Conflict`.
    """
    play = locked_play(play_id)
    check_entry(play, entry)
    current = play.entries.filter(current=True).first()
    if current is None:
        raise Refused("nothing_to_correct")
    if entry_of(current) == entry:
        return current
    if current.version != seen_version:
        raise Conflict("corrected_meanwhile", version=current.version)
    if not reason.strip():
        raise Refused("reason_missing", "reason")
    play.entries.filter(current=True).update(current=False)
    return add_entry(play, entry, version=current.version + 1, by=by, now=now, device=device, reason=reason.strip())


@transaction.atomic
def annul_play(*, play_id: int, reason: str, by: User, now: dt.datetime) -> Ruling:
    """The play leaves the topage and the means; its result stays on record. Annulling it again changes nothing."""
    return rule(locked_play(play_id), Ruling.Kind.ANNULLED, reason=reason, by=by, now=now)


@transaction.atomic
def restore_play(*, play_id: int, reason: str, by: User, now: dt.datetime) -> Ruling | None:
    """Takes an annulment back by a ruling of its own. A play that counts already is left alone."""
    play = locked_play(play_id)
    if not play.rulings.exists():
        return None
    return rule(play, Ruling.Kind.RESTORED, reason=reason, by=by, now=now)


def rule(play: Play, kind: Ruling.Kind, *, reason: str, by: User, now: dt.datetime) -> Ruling:
    newest = play.rulings.order_by("-id").first()
    if newest is not None and newest.kind == kind:
        return newest
    if not reason.strip():
        raise Refused("reason_missing", "reason")
    ruling = Ruling.objects.create(play=play, kind=kind, reason=reason.strip(), author=by, ruled_at=now)
    results_changed(play.session_id)
    return ruling


def locked_play(play_id: int) -> Play:
    """The play, held until the change is written. Plays are locked before their session, everywhere."""
    plays = Play.objects.select_for_update(of=("self",)).select_related("etui", "session__tournament__club")
    play = plays.filter(pk=play_id, session__status=Session.Status.RUNNING).first()
    if play is None:
        raise Refused("play_gone")
    return play


def check_entry(play: Play, entry: Entry) -> None:
    tournament = play.session.tournament
    check(
        entry,
        auction=cast(Auction, tournament.auction),
        etui_taker=taker_named(play.etui),
        rules=rules_named(tournament.rules),
    )


def add_entry(
    play: Play, entry: Entry, *, version: int, by: User, now: dt.datetime, device: str, reason: str
) -> ResultEntry:
    row = ResultEntry.objects.create(
        play=play, version=version, author=by, device=device, entered_at=now, reason=reason, **to_row(entry)
    )
    results_changed(play.session_id)
    return row


def results_changed(session_id: int) -> None:
    Session.objects.filter(pk=session_id).update(results_version=F("results_version") + 1)
    queue_standings(session_id)
