"""The service that changes the plan of a running session, or undoes the newest change.

A change keeps the plays that were already played, and replaces the plays of later positions by those of the new plan.
It can be undone until a later entry, ruling or penalty depends on it.

Words of this package: an operation is the director's wish, for example that a player leaves. An outcome, or way, is one
possible plan that carries it out. The evening is the session with its present plan.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Q

from clubs.matching import MatchedLine
from clubs.models import Player, User
from clubs.players import ListCounts, take_counted
from clubs.roster import RosterLine
from evenings.changes.outcomes import find_coming, lay_anew, outcomes, running_evening
from evenings.changes.ways import ChangeOutcome, find_held, find_settled, last_entered
from evenings.plans.current import current_version
from evenings.plans.laying import write_rows
from evenings.plans.layout import Row, find_laid_rows
from evenings.plans.plays_after import PlaysAfter, PlaysBefore, read_before
from evenings.plans.starting import check_etuis
from evenings.plans.storing import store_plan
from evenings.plays.entering import log_play, raise_results_version
from evenings.plays.entries import entry_of, name_attacker, to_row
from evenings.tables.devices import open_tables
from scoring.formats import find_format
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_plan
from tournaments.log import log_action
from tournaments.models import Entrant, PlanVersion, Play, ResultEntry, Ruling, Session
from tournaments.models.seats import reseat, sits_at_play
from tournaments.rules.entry import Facts, Fiche, taker_of
from tournaments.rules.operations import (
    KINDS,
    Arrive,
    Leave,
    Operation,
    Return,
    Substitute,
    Swap,
    WrongEtuis,
    with_players,
    write_operation_data,
)

STAY = ["number", "first_position", "last_position", "earlier"]
# Reasons that a change stores for its effect on results. Readers see them in their language (`messages.say_reason`).
MENDED, SEATS_MENDED, TAKEN_BACK = "@etuis_mended", "@seats_mended", "@change_undone"


def change_session(
    *,
    session_id: int,
    operation: Operation,
    choice: int,
    seen: int,
    by: User,
    now: dt.datetime,
    unlisted: Sequence[RosterLine] = (),
) -> PlanVersion:
    """Carry out the operation by outcome number `choice` of the list that `outcomes` returns. Return the new plan.

    `seen` is the number of the plan that the user saw when choosing. Raise `Conflict` if the session has a newer plan.

    The players in `unlisted` are added to the club's list. The operation refers to them by the ids −1, −2 …, in the
    order of `unlisted`. Raise `ListChanged` if one of them is on the list by now.
    """
    session = Session.objects.select_related("tournament__club", "deal_set").get(pk=session_id)
    # Finding a new plan takes seconds. It is done before locking, so that tables can enter results meanwhile.
    # Everything that the plan depends on is checked again under the lock.
    check_seen(session, seen)
    offered = outcomes(session, operation, number_unlisted(unlisted))
    if not 0 <= choice < len(offered):
        raise ActionRefused("plan_unknown", "plan")
    with transaction.atomic():
        session = lock_plan(session_id, no_key=True)
        check_seen(session, seen)
        taken, told = [MatchedLine(line) for line in unlisted], ListCounts(len(unlisted), len(unlisted))
        listed, _counts = take_counted(club=session.tournament.club, taken=taken, told=told)
        ids = {-place: player for place, player in enumerate(listed, start=1)}
        way = offered[choice]
        newcomers = tuple(replace(one, player=ids.get(one.player.pk, one.player)) for one in way.newcomers)
        operation = with_players(operation, {place: player.pk for place, player in ids.items()})
        return carry_out(session, operation, replace(way, newcomers=newcomers), by=by, now=now)


def number_unlisted(lines: Sequence[RosterLine]) -> dict[int, Player]:
    """Return unsaved players for the lines, by their provisional ids −1, −2 …, as the operation names them."""
    return {
        -place: Player(pk=-place, last_name=line.last_name, first_name=line.first_name)
        for place, line in enumerate(lines, start=1)
    }


def number_of_plan(session: Session) -> int:
    """Return the number of the session's present plan, or 0 if it has none."""
    version = current_version(session)
    return version.number if version else 0


def check_seen(session: Session, seen: int) -> None:
    """Raise `Conflict` if the session's present plan is not number `seen`."""
    if number_of_plan(session) != seen:
        raise Conflict("plan_out_of_date")


def carry_out(session: Session, operation: Operation, way: ChangeOutcome, *, by: User, now: dt.datetime) -> PlanVersion:
    """Write the outcome `way` of the operation to the database. Return the new plan. The session must be locked.

    Raise `ActionRefused` if étuis are missing or the position has begun. Raise `Conflict` if a position has begun since
    the outcomes were found.
    """
    evening = running_evening(session)
    if way.etuis_short:
        raise ActionRefused("etuis_lacking", "plan", count=way.etuis_short)
    if (needed := way.plan.count_etuis()) > evening.plan.count_etuis():
        check_etuis(session, needed=needed)
    if isinstance(operation, Arrive | Leave | Return):
        if (settled := find_settled(session)) > way.after:
            raise ActionRefused("position_begun", "after", settled=settled, last=evening.plan.positions - 1)
    elif find_held(session) > way.after:
        raise Conflict("plan_out_of_date")  # a position has begun since the outcomes were found
    done = write_operation_data(operation)
    done |= {"positions_before": session.positions, "tables": list(session.tables.values_list("number", flat=True))}
    before = read_before(session)
    after = lay_anew(evening, operation, way, before)
    done["gone"] = go(operation, way)
    people = find_coming(evening, operation, way)
    back = [entrant for entrant in people if entrant.pk]
    Entrant.objects.bulk_update(back, STAY)
    added = Entrant.objects.bulk_create([entrant for entrant in people if not entrant.pk])
    done["returned"] = [entrant.pk for entrant in back]
    done["added"] = [entrant.pk for entrant in added]
    if isinstance(operation, Substitute) and not operation.own:
        Entrant.objects.filter(pk=operation.entrant).update(
            stand_in_id=operation.player, stand_in_from=operation.position
        )
    if isinstance(operation, Leave) and operation.unplayed:
        done["set_aside"] = leave_unplayed(operation, by=by, now=now)
    ids = {-place: entrant.pk for place, entrant in enumerate(added, start=1)}
    done["rulings"] = keep_rulings(before.rows.keys() - after.rows.keys())
    new = write_rows(session, before.rows, {key: reseat(row, ids) for key, row in after.rows.items()})
    make_up_for(after, new, by=by, now=now)
    open_tables(session, now=now)
    tell_redirected(before, after, by=by, now=now)
    if isinstance(operation, WrongEtuis):
        retake(session, by=by, now=now, reason=MENDED)
    session.positions = way.plan.positions
    session.save(update_fields=["positions"])
    changed = difference(before.rows, find_laid_rows(session))
    about = [*done["added"], *done["gone"], *done["returned"]]
    named = session.entrants.select_related("player", "stand_in", "team").filter(pk__in=about)
    done["words"] = " ".join(entrant.name for entrant in named)
    version = store_plan(
        session,
        way.plan,
        code=way.code,
        params=way.params,
        operation=done,
        by=by,
        now=now,
        fixed=way.after,
        changed=changed,
    )
    raise_results_version(session.pk)
    return version


def make_up_for(after: PlaysAfter, new: Mapping[int, int], *, by: User, now: dt.datetime) -> None:
    """Add a ruling "to be played later" for each play that its table missed (`after.later`).

    `new` gives the database id of a new play by its provisional id, below 0.
    """
    Ruling.objects.bulk_create(
        Ruling(play_id=new[key], kind=Ruling.RulingKind.LATER, author=by, ruled_at=now) for key in after.later
    )


def keep_rulings(plays: Collection[int]) -> list[Row]:
    """Delete the rulings on these plays, which the new plan does not have. Return the deleted rulings as rows for JSON.

    The plan version stores these rows, so that an undo can restore the rulings with their plays. On such plays, the
    only rulings in force are those that changes have made.
    """
    rulings = Ruling.objects.filter(play__in=plays).order_by("pk")
    said = "taker", "score", "notes", "compared", "article", "reason"
    columns = "pk", "play_id", "kind", *said, "author_id", "device", "ruled_at"
    rows = [row | {"ruled_at": row["ruled_at"].isoformat()} for row in rulings.values(*columns)]
    rulings.delete()
    return rows


def tell_redirected(before: PlaysBefore, after: PlaysAfter, *, by: User, now: dt.datetime) -> None:
    """Log each stored result that a change affects.

    A result is logged as "redirected" if its play now has another étui or other players. It is logged as
    "counts_no_longer" if somebody at the table had played the étui before.
    """
    void = {pk for pk in after.met if pk in before.rows and not before.rows[pk]["is_replay"]}
    plays = Play.objects.select_related("table", "etui").in_bulk(before.entered & (after.moved | void))
    for pk, play in sorted(plays.items()):
        if pk in after.moved:
            log_play(play, "redirected", now=now, by=by)
        if pk in void:
            log_play(play, "counts_no_longer", now=now, by=by)


def go(operation: Operation, way: ChangeOutcome) -> list[int]:
    """Store the last position of each entrant who leaves. Return the ids of these entrants."""
    gone = list(way.gone)
    last = way.after
    if isinstance(operation, Substitute) and operation.own:
        replaced = Entrant.objects.get(pk=operation.entrant)
        gone, last = [replaced.pk], max(operation.position - 1, last_entered(replaced))
    Entrant.objects.filter(pk__in=gone).update(last_position=last)
    return gone


def leave_unplayed(operation: Leave, *, by: User, now: dt.datetime) -> list[int]:
    """Rule "not played" on the open plays of the leaving entrants' tables, up to position `operation.after`.

    An open play has neither a result nor a ruling. Return the ids of the plays.
    """
    owed = Play.objects.filter(
        reduce(or_, map(sits_at_play, operation.entrants), Q(pk__in=[])),
        position__lte=operation.after,
        entries=None,
        rulings=None,
    )
    rulings = [Ruling(play=play, kind=Ruling.RulingKind.NOT_PLAYED, author=by, ruled_at=now) for play in owed]
    Ruling.objects.bulk_create(rulings)
    return [ruling.play_id for ruling in rulings]


def retake(
    session: Session, *, by: User, now: dt.datetime, reason: str, returned: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Correct the taker and the attacker of results after a change of étuis or seats. Each gets a new version.

    The taker becomes the one of the étui that was really played. If the team of an entered attacker no longer attacks,
    the attacker is removed. The log says so, because only the director can know who attacked. When a change is undone,
    `returned` has the attackers that it had removed, and they are entered again. In a free auction nothing is
    corrected, because the étui does not name the taker.

    Return the removed attackers: the ids of members by the play's id, written as text. `returned` has the same form.
    """
    format, out = find_format(session.tournament.format), dict[str, int]()
    rows = ResultEntry.objects.filter(play__session=session, current=True).order_by("pk")
    for row in rows.select_related("play__etui", "play__table", "attacker"):
        entry, taker = entry_of(row), format.find_taker(row.play.etui.taker)
        if not isinstance(entry, Facts | Fiche) or taker is None:
            continue
        attacker = keep_attacker(row, taker)
        if row.attacker_id is None:
            attacker = (returned or {}).get(str(row.play_id))
        if taker_of(entry) == taker and attacker == row.attacker_id:
            continue
        if row.attacker_id is not None and attacker is None:
            out[str(row.play_id)] = row.attacker_id
            log_play(row.play, "attacker_out", now=now, by=by)
        row.play.entries.filter(current=True).update(current=False)
        ResultEntry.objects.create(
            play=row.play,
            version=row.play.entries.order_by("-version")[0].version + 1,
            author=by,
            entered_at=now,
            reason=reason,
            check_by=row.check_by,
            shows=row.shows,
            **to_row(name_attacker(replace(entry, taker=taker), attacker)),
        )
    return out


def keep_attacker(row: ResultEntry, taker: str) -> int | None:
    """Return the id of the entry's attacker, or None if another team attacks with this taker."""
    if row.attacker is None or row.attacker.team_id != row.play.seats[taker].team_id:
        return None
    return row.attacker_id


def difference(before: dict[int, Row], after: dict[int, Row]) -> dict[str, dict[str, Row]]:
    """Return the rows of plays that differ between `before` and `after`, under the keys "before" and "after".

    In both, the rows are keyed by the play's id as text, as JSON needs it. A removed play is only in "before", an added
    play only in "after".
    """
    return {
        "before": {str(pk): row for pk, row in before.items() if after.get(pk) != row},
        "after": {str(pk): row for pk, row in after.items() if before.get(pk) != row},
    }


@transaction.atomic
def undo_change(*, session_id: int, seen: int, by: User, now: dt.datetime) -> PlanVersion:
    """Undo the newest change and return its plan version. If it is already undone, only return it.

    `seen` is the number of the plan that the user saw. Raise `Conflict` if the session has a newer plan. Raise
    `ActionRefused` if there is no change to undo, or if later results depend on it.
    """
    session = lock_plan(session_id, no_key=True)
    seen_version = session.plans.filter(number=seen).exclude(undone_at=None).first()
    if seen_version is not None:
        return seen_version
    check_seen(session, seen)
    version = current_version(session)
    if version is None or version.operation.get("kind") not in KINDS:
        raise ActionRefused("nothing_to_undo")  # games of free deals are undone on their own page
    before = {int(pk): row for pk, row in version.before.items()}
    after = {int(pk): row for pk, row in version.after.items()}
    if depends(version, after):
        raise ActionRefused("results_depend_on_change")
    done = version.operation
    rows = find_laid_rows(session)
    wanted = {pk: row for pk, row in rows.items() if pk in before or pk not in after} | before
    done["rulings_undone"] = keep_rulings(rows.keys() - wanted.keys())
    write_rows(session, rows, wanted)
    Ruling.objects.bulk_create(Ruling(**row) for row in done.get("rulings", []))
    Entrant.objects.filter(pk__in=done["added"]).delete()
    go_again(Entrant.objects.filter(pk__in=done.get("returned", [])))  # this can free the seat of a filler who is gone
    Entrant.objects.filter(pk__in=done["gone"]).update(last_position=None)
    if done["kind"] == Substitute.kind and not done["own"]:
        Entrant.objects.filter(pk=done["entrant"]).update(stand_in=None, stand_in_from=None)
    Ruling.objects.bulk_create(
        Ruling(play_id=pk, kind=Ruling.RulingKind.RESTORED, reason=TAKEN_BACK, author=by, ruled_at=now)
        for pk in done.get("set_aside", [])
    )
    if done["kind"] in (WrongEtuis.kind, Swap.kind):
        retake(session, by=by, now=now, reason=TAKEN_BACK, returned=done.get("attackers"))
    if done["kind"] == Leave.kind:
        pass_over(session, before.keys() - rows.keys(), by=by, now=now)
    added = session.tables.exclude(number__in=done["tables"])
    added.filter(plays=None).delete()
    session.positions = done["positions_before"]
    session.save(update_fields=["positions"])
    version.undone_at, version.undone_by = now, by
    version.save(update_fields=["operation", "undone_at", "undone_by"])
    log_action(session, f"undo_{done['kind']}", by=by, now=now, words=str(done.get("words", "")))
    raise_results_version(session.pk)
    return version


def go_again(back: Iterable[Entrant]) -> None:
    """Undo the return of these entrants: restore the seat number and the positions of their stay before it."""
    for entrant in back:
        *earlier, (entrant.number, entrant.first_position, entrant.last_position) = entrant.earlier
        entrant.earlier = earlier
        entrant.save(update_fields=STAY)


def pass_over(session: Session, returned: Iterable[int], *, by: User, now: dt.datetime) -> None:
    """Rule "not played" on plays that an undo has restored and whose position is already over.

    Otherwise the site would go on waiting for their results. If such a play was played after all, its result counts.
    """
    over = session.plays.filter(pk__in=returned, position__lt=find_held(session))
    Ruling.objects.bulk_create(
        Ruling(play=play, kind=Ruling.RulingKind.NOT_PLAYED, reason=TAKEN_BACK, author=by, ruled_at=now)
        for play in over
    )


def depends(version: PlanVersion, after: Iterable[int]) -> bool:
    """Return whether the change can no longer be undone, because later data depend on it.

    `after` has the ids of the plays that the change added or altered. A later entry, ruling or start of such a play
    depends on the change. So do the call of a position that only the new plan has, and a penalty for an entrant whom
    the change added.
    """
    touched = Play.objects.filter(pk__in=list(after))
    session, done = version.session, version.operation
    return (
        session.position > done["positions_before"]
        or session.penalties.filter(entrant__in=done["added"]).exists()
        or ResultEntry.objects.filter(play__in=touched, pk__gt=version.newest_entry).exists()
        or Ruling.objects.filter(play__in=touched, pk__gt=version.newest_ruling).exists()
        or touched.filter(started_at__gt=version.made_at).exists()
    )
