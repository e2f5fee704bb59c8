"""Changes of a session under way: each keeps what was played, lays out the rest anew, and can be undone until results
depend on it.

Every play of the session is locked, in one order, before the session itself.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.ranking import Line
from tournaments.changes import (
    Outcome,
    etuis_played,
    held_until,
    last_entered,
    outcomes,
    running_evening,
    settled_until,
)
from tournaments.domain.entry import Facts, Fiche, taker_of
from tournaments.entries import entry_of, to_row
from tournaments.errors import Conflict, Refused
from tournaments.models import Entrant, PlanVersion, Play, ResultEntry, Ruling, Session, Tournament
from tournaments.operations import Arrive, Leave, Operation, Substitute, Swap, WrongEtuis, to_data
from tournaments.plans import SEAT_COLUMNS, Evening, current_version
from tournaments.services.log import log
from tournaments.services.planning import store_plan
from tournaments.services.results import results_changed
from tournaments.services.start import Row, check_etuis, etuis_of, lay_out, raise_replay, rows_of
from tournaments.services.tables import open_tables


def change_session(
    *, session_id: int, operation: Operation, choice: int, seen: int, by: User, now: dt.datetime
) -> PlanVersion:
    """Carries the operation out as the outcome of that place in the list. `seen` is the number of the plan that its
    reader saw: a `Conflict` where another holds by now."""
    session = Session.objects.select_related("tournament__club", "deal_set").get(pk=session_id)
    # Planning anew takes seconds: nobody's entry waits for it. What it rests on is looked at again under the lock.
    check_seen(session, seen)
    offered = outcomes(session, operation)
    if not 0 <= choice < len(offered):
        raise Refused("plan_unknown", "plan")
    with transaction.atomic():
        session = locked_session(session_id)
        check_seen(session, seen)
        return carry_out(session, operation, offered[choice], by=by, now=now)


def number_of_plan(session: Session) -> int:
    version = current_version(session)
    return version.number if version else 0


def check_seen(session: Session, seen: int) -> None:
    if number_of_plan(session) != seen:
        raise Conflict("plan_out_of_date")


def locked_session(session_id: int) -> Session:
    list(Play.objects.select_for_update().filter(session_id=session_id).order_by("pk").values_list("pk"))
    # No key changes: rows that only refer to the session, as the log's, need not wait.
    sessions = Session.objects.select_for_update(of=("self",), no_key=True)
    return sessions.select_related("tournament__club", "deal_set").get(pk=session_id)


def carry_out(session: Session, operation: Operation, way: Outcome, *, by: User, now: dt.datetime) -> PlanVersion:
    evening = running_evening(session)
    if way.etuis_short:
        raise Refused("etuis_lacking", "plan", count=way.etuis_short)
    if (needed := etuis_of(way.plan)) > etuis_of(evening.plan):
        check_etuis(session, needed=needed)
    if isinstance(operation, Arrive | Leave):
        if (settled := settled_until(session)) > way.after:
            raise Refused("position_begun", "after", settled=settled, last=evening.plan.positions - 1)
    elif held_until(session) > way.after:
        raise Conflict("plan_out_of_date")  # a position has begun since the ways were found
    done = to_data(operation)
    done |= {"positions_before": session.positions, "tables": list(session.tables.values_list("number", flat=True))}
    before = rows_of(session)
    done["gone"] = go(operation, way)
    done["added"] = [entrant.pk for entrant in come(session, operation, way)]
    rewrite(session, before, edited(session, evening, operation, before, done["added"]))
    if isinstance(operation, Leave) and operation.unplayed:
        done["set_aside"] = leave_unplayed(operation, by=by, now=now)
    fresh = Evening(session, way.plan)
    lay_out(fresh, after=way.after)
    open_tables(session, now=now)
    if isinstance(operation, WrongEtuis):
        retake(session, by=by, now=now, reason=_("Étui played in place of another"))
    session.positions = way.plan.positions
    session.save(update_fields=["positions"])
    changed = difference(before, rows_of(session))
    done["words"] = " ".join(
        entrant.name for entrant in fresh.entrants if entrant.pk in {*done["added"], *done["gone"]}
    )
    version = store_plan(
        session, way.plan, code=way.code, params=way.params, operation=done, by=by, now=now, fixed=way.after, **changed
    )
    results_changed(session.pk)
    return version


def come(session: Session, operation: Operation, way: Outcome) -> list[Entrant]:
    """The entrants that are new; a stand-in is none."""
    if isinstance(operation, Substitute) and not operation.own:
        Entrant.objects.filter(pk=operation.entrant).update(
            stand_in_id=operation.player, stand_in_from=operation.position
        )
        return []
    first = operation.position if isinstance(operation, Substitute) else way.after + 1
    ranked = True
    if isinstance(operation, Substitute):
        ranked = Entrant.objects.get(pk=operation.entrant).ranked
    return Entrant.objects.bulk_create(
        Entrant(
            session=session,
            player=newcomer.player,
            line=newcomer.line,
            number=newcomer.member.number,
            first_position=first,
            ranked=ranked,
        )
        for newcomer in way.newcomers
    )


def go(operation: Operation, way: Outcome) -> list[int]:
    """Ids of the entrants who are there no longer."""
    gone = list(way.gone)
    last = way.after
    if isinstance(operation, Substitute) and operation.own:
        replaced = Entrant.objects.get(pk=operation.entrant)
        gone, last = [replaced.pk], max(operation.position - 1, last_entered(replaced))
    Entrant.objects.filter(pk__in=gone).update(last_position=last)
    return gone


def plays_of(entrant_id: int) -> Any:
    return Play.objects.filter(
        pk__in=[
            pk
            for column in SEAT_COLUMNS
            for pk in Play.objects.filter(**{column: entrant_id}).values_list("pk", flat=True)
        ]
    )


def edited(
    session: Session, evening: Evening, operation: Operation, rows: dict[int, Row], added: list[int]
) -> dict[int, Row]:
    """The rows that the operation corrects, as they will be."""
    match operation:
        case Swap(position=position, one=one, other=other):
            exchanged = {one: other, other: one}
            return {
                pk: row | {column: exchanged.get(row[column], row[column]) for column in SEAT_COLUMNS}
                for pk, row in rows.items()
                if row["position"] == position
                and not exchanged.keys().isdisjoint(row[column] for column in SEAT_COLUMNS)
            }
        case Substitute(entrant=entrant, position=position, own=True):
            entered = set(
                ResultEntry.objects.filter(play__session=session, current=True).values_list("play_id", flat=True)
            )
            return {
                pk: row | {column: added[0] for column in SEAT_COLUMNS if row[column] == entrant}
                for pk, row in rows.items()
                if row["position"] >= position and pk not in entered and entrant in [row[c] for c in SEAT_COLUMNS]
            }
        case WrongEtuis(position=position):
            tables = {table.number: table.pk for table in session.tables.all()}
            assert session.deal_set is not None
            etuis = {etui.number: etui.pk for etui in session.deal_set.etuis.all()}
            played = {
                (tables[table], etuis[planned]): etuis[number]
                for (table, planned), number in etuis_played(evening, operation).items()
            }
            return {
                pk: row | {"etui_id": played[row["table_id"], row["etui_id"]]}
                for pk, row in rows.items()
                if row["position"] == position and (row["table_id"], row["etui_id"]) in played
            }
    return {}


def rewrite(session: Session, rows: dict[int, Row], wanted: dict[int, Row]) -> None:
    """Unique keys are looked at after every statement, foreign ones at the end of the transaction: all rows that change
    are parked on étuis that do not exist, then each gets its own. Replays to come are planned away afterwards."""
    changing = {pk: row for pk, row in wanted.items() if rows.get(pk) != row}
    if not changing:
        return
    make_way(session, rows, changing)
    for pk in changing:
        Play.objects.filter(pk=pk).update(etui_id=-pk)
    for pk, row in changing.items():
        Play.objects.filter(pk=pk).update(**row)


def make_way(session: Session, rows: dict[int, Row], changing: dict[int, Row]) -> None:
    """Plays to come that would repeat what has now been played are taken out; `lay_out` minds the others."""
    unplayed = unplayed_ids(session)
    for column in (*SEAT_COLUMNS,):
        taken = {(row["etui_id"], row[column]) for row in changing.values()}
        stale = [pk for pk, row in rows.items() if pk not in changing and (row["etui_id"], row[column]) in taken]
        if beyond := [pk for pk in stale if pk not in unplayed]:
            raise_replay(rows[beyond[0]], column)
        Play.objects.filter(pk__in=stale).delete()


def unplayed_ids(session: Session) -> set[int]:
    """Plays of which nothing at all is known."""
    blank = session.plays.filter(started_at=None, entries=None, rulings=None, position__gt=session.position)
    return set(blank.values_list("pk", flat=True))


def leave_unplayed(operation: Leave, *, by: User, now: dt.datetime) -> list[int]:
    """What the tables of those who go still owe, up to that position, is not played."""
    owed = Play.objects.filter(
        pk__in=[pk for entrant in operation.entrants for pk in plays_of(entrant).values_list("pk", flat=True)],
        position__lte=operation.after,
        entries=None,
        rulings=None,
    )
    rulings = [Ruling(play=play, kind=Ruling.Kind.NOT_PLAYED, author=by, ruled_at=now) for play in owed]
    Ruling.objects.bulk_create(rulings)
    return [ruling.play_id for ruling in rulings]


def retake(session: Session, *, by: User, now: dt.datetime, reason: str) -> None:
    """Where a result now belongs to an étui that names another taker, a new version has that one."""
    if session.tournament.auction != Tournament.Auction.IMPOSED:
        return
    for row in ResultEntry.objects.filter(play__session=session, current=True).select_related("play__etui"):
        entry, taker = entry_of(row), Line(row.play.etui.taker)
        if isinstance(entry, Facts | Fiche) and taker_of(entry) != taker:
            row.play.entries.filter(current=True).update(current=False)
            ResultEntry.objects.create(
                play=row.play,
                version=row.play.entries.order_by("-version")[0].version + 1,
                author=by,
                entered_at=now,
                reason=reason,
                check_by=row.check_by,
                shows=row.shows,
                **to_row(replace(entry, taker=taker)),
            )


def difference(before: dict[int, Row], after: dict[int, Row]) -> dict[str, dict[str, Row]]:
    """The rows that were removed, altered or added, as they were and as they are, by id as JSON has it."""
    return {
        "before": {str(pk): row for pk, row in before.items() if after.get(pk) != row},
        "after": {str(pk): row for pk, row in after.items() if before.get(pk) != row},
    }


@transaction.atomic
def undo_change(*, session_id: int, seen: int, by: User, now: dt.datetime) -> PlanVersion:
    """Takes the newest change back, unless results depend on it. Taking back the same one twice does it once."""
    session = locked_session(session_id)
    seen_version = session.plans.filter(number=seen).exclude(undone_at=None).first()
    if seen_version is not None:
        return seen_version
    check_seen(session, seen)
    version = current_version(session)
    if version is None or version.operation.get("kind") == "choice":
        raise Refused("nothing_to_undo")
    before = {int(pk): row for pk, row in version.before.items()}
    after = {int(pk): row for pk, row in version.after.items()}
    if depends(version, after):
        raise Refused("results_depend_on_change")
    done = version.operation
    Play.objects.filter(pk__in=after.keys() - before.keys()).delete()
    rows = rows_of(session)
    rewrite(session, rows, {pk: row for pk, row in before.items() if pk in rows})
    Play.objects.bulk_create(Play(pk=pk, session=session, **row) for pk, row in before.items() if pk not in rows)
    Entrant.objects.filter(pk__in=done["added"]).delete()
    Entrant.objects.filter(pk__in=done["gone"]).update(last_position=None)
    if done["kind"] == Substitute.kind and not done["own"]:
        Entrant.objects.filter(pk=done["entrant"]).update(stand_in=None, stand_in_from=None)
    Ruling.objects.bulk_create(
        Ruling(play_id=pk, kind=Ruling.Kind.RESTORED, reason=_("Change taken back"), author=by, ruled_at=now)
        for pk in done.get("set_aside", [])
    )
    if done["kind"] == WrongEtuis.kind:
        retake(session, by=by, now=now, reason=_("Change taken back"))
    added = session.tables.exclude(number__in=done["tables"])
    added.filter(plays=None).delete()
    session.positions = done["positions_before"]
    session.save(update_fields=["positions"])
    version.undone_at, version.undone_by = now, by
    version.save(update_fields=["undone_at", "undone_by"])
    log(session, f"undo_{done['kind']}", by=by, now=now, words=str(done.get("words", "")))
    results_changed(session.pk)
    return version


def depends(version: PlanVersion, after: Iterable[int]) -> bool:
    """Whether anything was entered, ruled or begun since on the plays that the change made or altered, a position
    called that only it has, or a penalty given to somebody whom it brought."""
    touched = Play.objects.filter(pk__in=list(after))
    session, done = version.session, version.operation
    return (
        session.position > done["positions_before"]
        or session.penalties.filter(entrant__in=done["added"]).exists()
        or ResultEntry.objects.filter(play__in=touched, pk__gt=version.newest_entry).exists()
        or Ruling.objects.filter(play__in=touched, pk__gt=version.newest_ruling).exists()
        or touched.filter(started_at__gt=version.made_at).exists()
    )
