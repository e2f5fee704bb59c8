"""The merge of two players of a club's list who are one person: its preview, the merge itself, and its undoing.

After a merge, all rows refer to the remaining player (`kept`). The row of the other player (`gone`) stays and refers to
`kept`, because published figures contain its number. A merge can be undone until new rows refer to `kept`.
"""

import datetime as dt
from typing import Any, NamedTuple

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from clubs.editing import find_referring_rows, lock_player
from clubs.models import Club, Player, PlayerMerge, User
from clubs.persons import lock_persons, regroup
from clubs.shown import lock_clubs
from rankings.events.counting import ask_for_tournaments_of
from tournaments.errors import ActionRefused
from tournaments.locks import lock_session, lock_tournament
from tournaments.models import Entrant, Publication, Session, TeamMember, Tournament

ACCOUNT = "clubs.Player.account"  # the key for the account among the rows that a merge moved
GAINED = ("licence", "category", "series", "ladies", "country", "origin", "member_until")


class MergeEffects(NamedTuple):
    """The data that move to the remaining player if two players are merged.

    The numbers are those of sessions with a seat, sessions as a stand-in, and publications. `gained` has the fields
    that the remaining player gets. `met` is a session in which both sit, or None. `apart` is the refusal if both are in
    teams of one tournament, or None.
    """

    sessions: int
    stood_in: int
    publications: int
    clubs: list[str]
    account: bool
    gained: dict[str, str]
    met: Session | None
    apart: ActionRefused | None


def preview_merge(kept: Player, gone: Player) -> MergeEffects:
    """Return what a merge of `gone` into `kept` would move."""
    stood_in = Entrant.objects.filter(stand_in=gone).count()
    others = gone.person.players.exclude(pk=gone.pk).exclude(club=gone.club_id)
    return MergeEffects(
        sessions=Entrant.objects.filter(player=gone).count(),
        stood_in=stood_in,
        publications=Publication.objects.filter(people__player=gone).count(),
        clubs=list(others.values_list("club__name", flat=True)),
        account=gone.account_id is not None,
        gained=find_gained(kept, gone),
        met=find_met(kept, gone),
        apart=find_teams_apart(kept, gone),
    )


def find_gained(kept: Player, gone: Player) -> dict[str, str]:
    """Return the fields that are empty for `kept` and filled for `gone`, with their values as text."""
    return {name: str(getattr(gone, name)) for name in GAINED if getattr(gone, name) and not getattr(kept, name)}


def find_met(kept: Player, gone: Player) -> Session | None:
    """Return the latest session in which both players have a seat or are stand-ins, or None.

    If there is such a session, they are two people and may not be merged.
    """
    return sessions_of(gone).filter(pk__in=sessions_of(kept)).order_by("-date", "-pk").first()


def find_teams_apart(kept: Player, gone: Player) -> ActionRefused | None:
    """Return the refusal to merge two players who are, or were, in teams of one tournament.

    Return None if there is no such tournament.

    Two members of one team, such as a member and their substitute, are two people as well.
    """
    others = {member.tournament_id: member for member in gone.memberships.select_related("team").order_by("-pk")}
    own = kept.memberships.filter(tournament__in=others).select_related("team", "tournament")
    if (member := own.order_by("-tournament", "pk").first()) is None:
        return None
    params: dict[str, object] = {"name": kept.name, "other": gone.name, "tournament": member.tournament.name}
    other = others[member.tournament_id].team
    if other == member.team:
        return ActionRefused("players_in_one_team", "", **params, team=member.team.number)
    params |= {"team": member.team.number, "other_team": other.number}
    return ActionRefused("players_in_two_teams", "", **params)


def sessions_of(player: Player) -> QuerySet[Session]:
    """Return the sessions in which the player has a seat or is a stand-in."""
    seats = Entrant.objects.filter(Q(player=player) | Q(stand_in=player))
    return Session.objects.filter(pk__in=seats.values("session"))


@transaction.atomic
def merge_players(*, club: Club, kept_id: int, gone_id: int, by: User, now: dt.datetime) -> PlayerMerge:
    """Merge two players: all rows that refer to player `gone_id` then refer to `kept_id`. Return the merge.

    If they are merged already, return that merge. Raise `ActionRefused` if they are one player, sat in one session,
    are in teams of one tournament, or have two accounts.
    """
    done = PlayerMerge.objects.filter(kept=kept_id, gone=gone_id, undone_at=None).first()
    if done is not None:
        return done
    lock_sessions(club, kept_id, gone_id)
    lock_clubs(*club.players.filter(pk__in=(kept_id, gone_id)))
    kept, gone = lock_player(club, kept_id), lock_player(club, gone_id)
    if kept == gone:
        raise ActionRefused("merge_of_one", name=kept.name)
    if met := find_met(kept, gone):
        raise ActionRefused(
            "players_met", name=kept.name, other=gone.name, tournament=met.tournament.name, number=met.number
        )
    if (refusal := find_teams_apart(kept, gone)) is not None:
        raise refusal
    lock_persons(kept, gone)
    if kept.account_id and gone.account_id and kept.account_id != gone.account_id:
        raise ActionRefused("accounts_of_both", name=kept.name, other=gone.name)
    merge = PlayerMerge(
        kept=kept,
        gone=gone,
        by=by,
        at=now,
        person=gone.person,
        had=find_referring_rows(kept),
        moved=find_referring_rows(gone),
    )
    merge.gained = find_gained(kept, gone)
    try:
        with transaction.atomic():
            point_to(kept, merge.moved)
    except IntegrityError as error:
        raise ActionRefused("merge_stuck", name=kept.name, other=gone.name) from error
    if gone.account_id is not None:
        merge.moved[ACCOUNT] = [gone.account_id]
        kept.account, gone.account = gone.account, None
    gone.merged_into = kept
    gone.save(update_fields=["merged_into", "account"])
    for name, value in merge.gained.items():
        column: Any = Player._meta.get_field(name)
        setattr(kept, name, column.to_python(value))
    kept.save(update_fields=[*merge.gained, "account"])
    merge.save()
    regroup(kept.person, gone.person, first=kept)
    ask_for_tournaments_of(kept_id, gone_id)
    return merge


def lock_sessions(club: Club, *player_ids: int) -> None:
    """Lock the tournaments with teams of these players, then the sessions in which they play or stand in.

    Both are locked in the order of their ids.
    """
    teams = TeamMember.objects.filter(player__in=player_ids, tournament__club=club).values("tournament")
    for pk in Tournament.objects.filter(pk__in=teams).order_by("pk").values_list("pk", flat=True):
        lock_tournament(pk, no_key=True)
    seats = Entrant.objects.filter(Q(player__in=player_ids) | Q(stand_in__in=player_ids))
    concerned = Session.objects.filter(Q(pk__in=seats.values("session")), tournament__club=club)
    for pk in concerned.order_by("pk").values_list("pk", flat=True):
        lock_session(pk, no_key=True)


def point_to(player: Player, rows: dict[str, list[int]]) -> None:
    """Make these rows refer to the player. `rows` has ids by "app.model.field", the field that refers to a player."""
    for label, ids in rows.items():
        where, _dot, field = label.rpartition(".")
        apps.get_model(where)._base_manager.filter(pk__in=ids).update(**{field: player.pk})


@transaction.atomic
def undo_merge(*, club: Club, merge_id: int, by: User, now: dt.datetime) -> PlayerMerge:
    """Undo a merge and return it. If it is already undone, only return it.

    Raise `ActionRefused` if new rows have referred to the remaining player since the merge.
    """
    merge = PlayerMerge.objects.select_related("kept", "gone", "person").get(pk=merge_id, kept__club=club)
    lock_sessions(club, merge.kept_id)
    lock_clubs(merge.kept)
    merge.refresh_from_db()
    if merge.undone_at is not None:
        return merge
    kept, gone = merge.kept, merge.gone
    if kept.merged_into_id is not None or is_rested_on(merge):
        raise ActionRefused("merge_rested_on", name=kept.name)
    lock_persons(kept, gone)
    moved = {label: ids for label, ids in merge.moved.items() if label not in (ACCOUNT, "clubs.Player.person")}
    if kept.account_id is not None and [kept.account_id] == merge.moved.get(ACCOUNT):
        kept.account, gone.account = None, kept.account
    for name, value in merge.gained.items():
        if str(getattr(kept, name)) == value:
            setattr(kept, name, None if Player._meta.get_field(name).null else "")
    gone.merged_into = None
    try:
        with transaction.atomic():
            kept.save(update_fields=[*merge.gained, "account"])
            gone.save(update_fields=["merged_into", "account"])
            point_to(gone, moved)
    except IntegrityError as error:
        raise ActionRefused("merge_rested_on", name=kept.name) from error
    merge.undone_by, merge.undone_at = by, now
    merge.save(update_fields=["undone_by", "undone_at"])
    regroup(kept.person, merge.person, first=kept)
    ask_for_tournaments_of(kept.pk, gone.pk)
    return merge


def is_rested_on(merge: PlayerMerge) -> bool:
    """Return whether new rows have referred to the remaining player since the merge."""
    rows = {label: {*merge.had.get(label, ()), *merge.moved.get(label, ())} for label in {*merge.had, *merge.moved}}
    rows.setdefault("clubs.Player.merged_into", set()).add(merge.gone_id)
    return any(set(ids) - rows.get(label, set()) for label, ids in find_referring_rows(merge.kept).items())


def merges_of(club: Club) -> QuerySet[PlayerMerge]:
    """Return the club's merges that are not undone, the latest first."""
    return PlayerMerge.objects.filter(kept__club=club, undone_at=None).select_related("kept", "gone", "by")
