"""Two players of a club's list who are one person: what follows whom, shown first; merged, and undone while nothing new
rests on it.

Figures that are frozen keep the number of the player who is gone: his row stays, and says who he is now.
"""

import datetime as dt
from typing import NamedTuple

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from clubs.editing import lock_player, rows_of
from clubs.models import Club, Person, Player, PlayerMerge, User
from clubs.shown import give_back, lock_clubs, take_over
from tournaments.errors import Refused
from tournaments.events.computing import ask_about
from tournaments.locks import lock_session
from tournaments.models import Entrant, Publication, Session

GAINED = ("licence", "category", "country", "origin")


class Following(NamedTuple):
    """What goes over where two players are merged; `met` is a session in which both sit, where there is one."""

    sessions: int
    stood_in: int
    publications: int
    clubs: list[str]
    account: bool
    gained: dict[str, str]
    met: Session | None


def preview_merge(kept: Player, gone: Player) -> Following:
    """What would follow the one who stays."""
    stood_in = Entrant.objects.filter(stand_in=gone).count()
    others = gone.person.players.exclude(pk=gone.pk).exclude(club=gone.club_id)
    return Following(
        sessions=Entrant.objects.filter(player=gone).count(),
        stood_in=stood_in,
        publications=Publication.objects.filter(people__player=gone).count(),
        clubs=list(others.values_list("club__name", flat=True)),
        account=gone.person.account_id is not None,
        gained=find_gained(kept, gone),
        met=find_met(kept, gone),
    )


def find_gained(kept: Player, gone: Player) -> dict[str, str]:
    """What the one who stays has not, and the other has."""
    return {name: getattr(gone, name) for name in GAINED if getattr(gone, name) and not getattr(kept, name)}


def find_met(kept: Player, gone: Player) -> Session | None:
    """The latest session in which both sit, or stand in: they are two people."""
    return sessions_of(gone).filter(pk__in=sessions_of(kept)).order_by("-date", "-pk").first()


def sessions_of(player: Player) -> QuerySet[Session]:
    seats = Entrant.objects.filter(Q(player=player) | Q(stand_in=player))
    return Session.objects.filter(pk__in=seats.values("session"))


@transaction.atomic
def merge_players(*, club: Club, kept_id: int, gone_id: int, by: User, now: dt.datetime) -> PlayerMerge:
    """Whatever refers to the one refers to the other from then on. Merged already, it is the merge that was made."""
    done = PlayerMerge.objects.filter(kept=kept_id, gone=gone_id, undone_at=None).first()
    if done is not None:
        return done
    lock_sessions(club, kept_id, gone_id)
    lock_clubs(*club.players.filter(pk__in=(kept_id, gone_id)))
    kept, gone = lock_player(club, kept_id), lock_player(club, gone_id)
    if kept == gone:
        raise Refused("merge_of_one", name=kept.name)
    if met := find_met(kept, gone):
        raise Refused("players_met", name=kept.name, other=gone.name, tournament=met.tournament.name, number=met.number)
    if kept.person.account_id and gone.person.account_id and kept.person != gone.person:
        raise Refused("accounts_of_both", name=kept.name, other=gone.name)
    merge = PlayerMerge(kept=kept, gone=gone, by=by, at=now, person=gone.person, had=rows_of(kept), moved=rows_of(gone))
    merge.gained = find_gained(kept, gone)
    try:
        with transaction.atomic():
            point_to(kept, merge.moved)
    except IntegrityError as error:
        raise Refused("merge_stuck", name=kept.name, other=gone.name) from error
    gone.merged_into = kept
    gone.save(update_fields=["merged_into"])
    for name, value in merge.gained.items():
        setattr(kept, name, value)
    kept.save(update_fields=[*merge.gained])
    join_persons(merge, kept.person, gone.person)
    merge.save()
    ask_about(kept_id, gone_id)
    return merge


def lock_sessions(club: Club, *player_ids: int) -> None:
    """The sessions in which they sit, and those in preparation, by their ids."""
    seats = Entrant.objects.filter(Q(player__in=player_ids) | Q(stand_in__in=player_ids))
    concerned = Session.objects.filter(Q(pk__in=seats.values("session")), tournament__club=club)
    for pk in concerned.order_by("pk").values_list("pk", flat=True):
        lock_session(pk, no_key=True)


def point_to(player: Player, rows: dict[str, list[int]]) -> None:
    """Has the rows, by "app.model.field", refer to a player."""
    for label, ids in rows.items():
        where, _dot, field = label.rpartition(".")
        apps.get_model(where)._base_manager.filter(pk__in=ids).update(**{field: player.pk})


def join_persons(merge: PlayerMerge, kept: Person, gone: Person) -> None:
    """Who was that person elsewhere, and his account, follow; they are shown as the more private of the two was."""
    if kept != gone:
        players = list(gone.players.order_by("pk").values_list("pk", flat=True))
        merge.moved["clubs.Player.person"] = players
        Player.objects.filter(pk__in=players).update(person=kept)
        move_account(gone, kept)
    take_over(kept, gone, by=merge.by, now=merge.at)


def move_account(source: Person, target: Person) -> None:
    if source.account_id is not None and target.account_id is None:
        account, source.account = source.account, None
        source.save(update_fields=["account"])
        target.account = account
        target.save(update_fields=["account"])


@transaction.atomic
def undo_merge(*, club: Club, merge_id: int, by: User, now: dt.datetime) -> PlayerMerge:
    """Takes a merge back while nothing refers to the player but what did then. Undone already, nothing is done."""
    merge = PlayerMerge.objects.select_related("kept", "gone", "person").get(pk=merge_id, kept__club=club)
    lock_sessions(club, merge.kept_id)
    lock_clubs(merge.kept)
    merge.refresh_from_db()
    if merge.undone_at is not None:
        return merge
    kept, gone = merge.kept, merge.gone
    if kept.merged_into_id is not None or is_rested_on(merge):
        raise Refused("merge_rested_on", name=kept.name)
    if "clubs.Player.person" in merge.moved:
        Player.objects.filter(pk__in=merge.moved.pop("clubs.Player.person"), person=kept.person).update(
            person=merge.person
        )
    for name, value in merge.gained.items():
        if getattr(kept, name) == value:
            setattr(kept, name, "")
    gone.merged_into = None
    try:
        with transaction.atomic():
            kept.save(update_fields=[*merge.gained])
            gone.save(update_fields=["merged_into"])
            point_to(gone, merge.moved)
    except IntegrityError as error:
        raise Refused("merge_rested_on", name=kept.name) from error
    merge.undone_by, merge.undone_at = by, now
    merge.save(update_fields=["undone_by", "undone_at"])
    give_back(kept.person, merge.person, merge.at, by=by, now=now)
    ask_about(kept.pk, gone.pk)
    return merge


def is_rested_on(merge: PlayerMerge) -> bool:
    """Whether anything refers to the player who stays that did not when the two were merged."""
    known = {label: {*merge.had.get(label, ()), *merge.moved.get(label, ())} for label in {*merge.had, *merge.moved}}
    known.setdefault("clubs.Player.merged_into", set()).add(merge.gone_id)
    return any(set(ids) - known.get(label, set()) for label, ids in rows_of(merge.kept).items())


def merges_of(club: Club) -> QuerySet[PlayerMerge]:
    """The club's merges that hold, the latest first."""
    return PlayerMerge.objects.filter(kept__club=club, undone_at=None).select_related("kept", "gone", "by")
