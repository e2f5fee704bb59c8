"""The directors' actions at the desk: annulling or splitting étuis, deciding disputes and answering calls.

Rulings on single plays are in `entering` and `adjusting`, rulings on players in `penalties`. Each action adds or
changes a row, is logged, and is idempotent. If it changes results, it raises the session's results version and queues
new standings.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Unpack

from django.db import transaction

from clubs.models import User
from evenings.plays.entering import correct_result, log_play, raise_results_version
from evenings.plays.entries import entry_of, state_of_result
from evenings.plays.free import FreeDealsRefused
from evenings.plays.rulings_given import RulingWords, require_reason, require_seen
from evenings.plays.state import PlayState
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_call, lock_hiding, lock_play, lock_running, lock_session
from tournaments.log import log_action
from tournaments.models import (
    ArbiterCall,
    EntryCheck,
    Etui,
    EtuiRuling,
    Play,
    PlayingDirector,
    ResultEntry,
    Session,
)
from tournaments.models.plays import seat_people
from tournaments.rules.etuis import AFTER, BEFORE, EtuiSplit
from tournaments.rules.formats import require_offered

# Étuis


@transaction.atomic
def annul_etui(*, session_id: int, etui: int, **said: Unpack[RulingWords]) -> EtuiRuling:
    """Annul the étui with this number for every player of the session. Its results stay on record."""
    return rule_etui(session_id, etui, EtuiRuling.EtuiRulingKind.ANNULLED, None, said)


@transaction.atomic
def split_etui(
    *, session_id: int, etui: int, from_position: int, before: Collection[int] = (), **said: Unpack[RulingWords]
) -> EtuiRuling:
    """Split the plays of an étui whose cards were altered: the plays before and after it are compared separately.

    The étui was altered before `from_position`, or during it. In the second case, `before` has the ids of the plays in
    that position that came before the alteration.
    """
    split = split_of(plays_of(lock_running(session_id), etui), from_position, before)
    return rule_etui(session_id, etui, EtuiRuling.EtuiRulingKind.SPLIT, split, said)


@transaction.atomic
def restore_etui(*, session_id: int, etui: int, **said: Unpack[RulingWords]) -> EtuiRuling | None:
    """Cancel the annulment or split in force on the étui with this number. Return None if there is none."""
    if etui_ruling(lock_running(session_id), etui) is None:
        return None
    return rule_etui(session_id, etui, EtuiRuling.EtuiRulingKind.RESTORED, None, said)


def rule_etui(
    session_id: int, number: int, kind: EtuiRuling.EtuiRulingKind, split: EtuiSplit | None, said: RulingWords
) -> EtuiRuling:
    """Add and return a ruling on the étui with this number, or return the newest one if it is the same."""
    session = lock_running(session_id)
    etui = Etui.objects.filter(plays__session=session, number=number).first()
    if etui is None:
        raise ActionRefused("etui_unknown", "etui", number=number)
    require_offered(session.tournament.format, FreeDealsRefused("etui_is_a_number", "etui"))
    newest = session.etui_rulings.filter(etui=etui).order_by("-id").first()
    if newest is not None and (newest.kind, newest.split) == (kind, split):
        return newest
    require_seen(newest, said.get("seen_ruling"))
    now, by = said["now"], said["by"]
    ruling = EtuiRuling.objects.create(
        session=session,
        etui=etui,
        kind=kind,
        from_position=split and split.from_position,
        played_before=list(split.played_before) if split else [],
        article=said.get("article", ""),
        reason=require_reason(said["reason"]),
        author=by,
        ruled_at=now,
    )
    raise_results_version(session.pk, etuis=[etui.pk])
    words = f"etui {number} {ruling.article} {ruling.reason}"
    told: dict[str, Any] = {"etui": number, "position": ruling.from_position}
    action = f"etui_{kind.value}"
    if ruling.played_before:
        action, told = (
            "etui_split_within",
            told | {"tables": join_numbers(ruling.played_before), "n": len(ruling.played_before)},
        )
    log_action(session, action, now=now, by=by, words=words, **told)
    return ruling


def plays_of(session: Session, number: int) -> list[Play]:
    """Return the plays of the étui with this number, with their tables and players, by position and table."""
    plays = session.plays.filter(etui__number=number).select_related("table")
    return seat_people(plays.order_by("position", "table__number"))


def split_positions(plays: Sequence[Play]) -> list[int]:
    """Return the positions that can be the `from_position` of a split of these plays of one étui.

    The first position is among them only if several tables play the étui then.
    """
    positions = [play.position for play in plays]
    return [each for each in sorted(set(positions)) if each > positions[0] or positions.count(each) > 1]


def split_of(plays: Sequence[Play], from_position: int, before: Collection[int]) -> EtuiSplit:
    """Return the split of an étui. `before` has ids of plays in `from_position`.

    Raise `ActionRefused` if one part would have no play, or if `before` has a play of another position.
    """
    if not plays:
        return EtuiSplit(from_position)
    allowed = split_positions(plays)
    if not allowed:
        raise ActionRefused("split_one_play")
    if from_position not in allowed:
        raise ActionRefused("split_position", "from_position", positions=join_numbers(allowed))
    tables = {play.pk: play.table.number for play in plays if play.position == from_position}
    if not set(before) <= tables.keys():
        raise ActionRefused("split_tables", "before", position=from_position)
    split = EtuiSplit(from_position, tuple(sorted(tables[pk] for pk in set(before))))
    parts = {split.part(play.position, play.table.number) for play in plays}
    if BEFORE not in parts:
        raise ActionRefused("split_none_before", "before", position=from_position)
    if AFTER not in parts:
        raise ActionRefused("split_none_after", "before", position=from_position)
    return split


def join_numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def etui_ruling(session: Session, number: int) -> EtuiRuling | None:
    """Return the annulment or split in force on the étui with this number, or None."""
    newest = session.etui_rulings.filter(etui__number=number).select_related("author").order_by("-id").first()
    return None if newest is None or newest.kind == EtuiRuling.EtuiRulingKind.RESTORED else newest


# Disputes


@transaction.atomic
def confirm_result(*, play_id: int, seen_version: int, by: User, now: dt.datetime) -> EntryCheck:
    """Record that the director confirms the current version of a result, which ends any dispute. Return the check."""
    play = lock_play(play_id)
    current = play.entries.filter(current=True).first()
    if current is None:
        raise ActionRefused("nothing_to_check")
    if current.version != seen_version:
        raise Conflict("corrected_meanwhile", version=current.version)
    last = current.checks.order_by("-id").first()
    rows = list(play.entries.prefetch_related("checks").order_by("version"))
    if last is not None and last.author_id == by.pk and state_of_result(rows) == PlayState.CONFIRMED:
        return last
    check = EntryCheck.objects.create(entry=current, agrees=True, author=by, checked_at=now)
    log_play(play, "director_confirmed", now=now, by=by, version=current.version)
    return check


@transaction.atomic
def take_contested(
    *, play_id: int, version: int, seen_version: int, reason: str, by: User, now: dt.datetime
) -> ResultEntry:
    """Add a new current version with the content of a contested version. Both older versions stay on record."""
    play = lock_play(play_id)
    contested = play.entries.filter(contested=True, version=version).first()
    if contested is None:
        raise ActionRefused("version_unknown", version=version)
    return correct_result(
        play_id=play_id, entry=entry_of(contested), reason=reason, seen_version=seen_version, by=by, now=now
    )


# Calls


@transaction.atomic
def answer_call(*, session_id: int, call_id: int, by: User, now: dt.datetime) -> ArbiterCall:
    """Answer a call for the arbiter, who is now on the way: the desk no longer rings for it. Return the call."""
    call = lock_call(session_id, call_id)
    if call.answered_at is None:
        call.answered_at, call.answered_by = now, by
        call.save(update_fields=["answered_at", "answered_by"])
        table = call.table.number
        log_action(session_id, "call_answered", now=now, by=by, words=f"table {table}", table=table)
    return call


# Directors who play


@transaction.atomic
def declare_playing(*, session_id: int, entrant_id: int, by: User, now: dt.datetime) -> PlayingDirector:
    """Record that the director plays as this entrant. Return the row.

    From then on, results of étuis that the director has still to play are hidden from the director.
    """
    session = lock_running(session_id)
    entrant = session.entrants.select_related("player", "stand_in", "team").filter(pk=entrant_id).first()
    if entrant is None:
        raise ActionRefused("entrant_unknown", "entrant")
    known = PlayingDirector.objects.filter(session=session, user=by).first()
    if known is not None and known.entrant_id == entrant.pk and known.lifted_at is None:
        return known
    playing, _ = PlayingDirector.objects.update_or_create(
        session=session, user=by, defaults={"entrant": entrant, "lifted_at": None}
    )
    log_action(session, "director_plays", now=now, by=by, words=entrant.name, name=entrant.name)
    return playing


@transaction.atomic
def lift_hiding(*, session_id: int, by: User, now: dt.datetime) -> PlayingDirector | None:
    """Show all results to a director who plays, from now on. The log tells the other directors.

    Return the row that hid them, or None if the director does not play.
    """
    lock_session(session_id, no_key=True)
    playing = lock_hiding(session_id, by)
    if playing is not None and playing.lifted_at is None:
        playing.lifted_at = now
        playing.save(update_fields=["lifted_at"])
        name = playing.entrant.name
        log_action(session_id, "hiding_lifted", now=now, by=by, words=name, name=name)
    return playing
