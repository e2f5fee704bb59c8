"""Somebody erased: a number in place of his name, and gone what else is kept of him. Results, notes, ranks and what is
published stay as they are, for they are those of the others too.

What is emptied in which rows stands in `everything`. Nothing of it can be undone. Two who erase the same person wait
for each other, and the second finds it done.
"""

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import JSONField, Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.accounts.ending import end_account, end_log_ins, require_leave
from clubs.accounts.log import log
from clubs.models import Club, Person, PersonLink, Player, User
from clubs.names import words_of
from clubs.names_version import raise_names_version
from clubs.persons import links, log_link, regroup
from tournaments.errors import Refused
from tournaments.locks import lock_apart, lock_club, lock_session
from tournaments.models import Applicant, LogEntry, Session
from tournaments.people.registration import withdraw
from tournaments.privacy.everything import KEPT, TYPED
from tournaments.privacy.kept import Kept
from tournaments.privacy.names import Name
from tournaments.privacy.people import numbered
from tournaments.privacy.whom import Whom, rows_about, seats_of, under_way
from tournaments.sessions.seating import unseat_player

A_BATCH = 500  # rows written at a time


class Erasure:
    """What is erased, its rows locked: the players of `whom` and, where `account` says so, the account."""

    def __init__(self, whom: Whom, clubs: Sequence[int], *, account: bool) -> None:
        self.whom, self.clubs, self.account = whom, clubs, account
        self.players = list(Player.objects.filter(pk__in=whom.players).order_by("pk"))
        first = next((each for each in self.players if each.merged_into_id is None), None)
        called = [(each.first_name, each.last_name) for each in self.players]
        applied = self.rows("tournaments.Applicant").values_list("first_name", "last_name")
        if account and whom.account is not None:
            called += [(whom.account.first_name, whom.account.last_name), ("", whom.account.username)]
        self.name = Name([*called, *applied], numbered(first) if first else "–")

    def rows(self, model: str) -> QuerySet[Any]:
        """His own rows of a model."""
        kept = next(each for each in KEPT if each.model == model and each.whose)
        return rows_about(kept, self.meant, kept.whose)

    @property
    def meant(self) -> Whom:
        """Without the account, where that stays."""
        return self.whom if self.account else Whom(self.whom.players, self.whom.person, None, self.whom.club)


def check_erasure(whom: Whom, *, account: bool) -> None:
    """`Refused` where he plays in a session that is under way; `AccountRefused` where his account has still to do."""
    playing = Session.objects.filter(pk__in=seats_of(whom).values("session")) & under_way()
    if (session := playing.select_related("tournament").order_by("pk").first()) is not None:
        raise Refused("erasure_while_playing", tournament=session.tournament.name, number=session.number)
    if account and whom.account is not None:
        require_leave(whom.account)


def takes_account(whom: Whom) -> bool:
    """Whether the account ends with the players: always by its owner's word; by a director's where it is of use for
    nothing else."""
    if whom.account is None or whom.by_link:
        return False
    account = whom.account
    elsewhere = Player.objects.real().filter(account=account).exclude(pk__in=whom.players)
    busy = account.memberships.exists() or account.is_staff or account.is_superuser
    return whom.club is None or not (elsewhere.exists() or busy)


@transaction.atomic
def erase(whom: Whom, *, by: User | None, now: dt.datetime) -> bool:
    """Whether there was anything to erase. What is refused is refused before a row is written."""
    check_erasure(whom, account=takes_account(whom))
    claim_registrations(whom)
    leave_coming_evenings(whom, now=now)
    erasure = lock_all(whom)
    check_erasure(whom, account=erasure.account)
    if not erasure.account and all(player.erased_at for player in erasure.players):
        return False
    part_from_others(erasure, by=by, now=now)
    free_of_name(erasure)
    if erasure.account and whom.account is not None:
        end_log_ins(whom.account)
    for kept in KEPT:
        delete_rows(kept, erasure)
        empty_rows(kept, erasure)
    Player.objects.filter(pk__in=whom.players).update(erased_at=now, put_away_at=now, erasure_asked_at=None)
    if erasure.account and whom.account is not None:
        end_account(whom.account, now=now)
    raise_names_version(*erasure.clubs)
    author = None if erasure.account and by == whom.account else by
    for player in erasure.players:
        if player.merged_into_id is None and player.erased_at is None:
            log(Club.every.get(pk=player.club_id), "player_erased", now=now, by=author, whom=numbered(player))
    return True


def lock_all(whom: Whom) -> Erasure:
    """The account, its clubs and those he is on the list of, then the person: whoever ties, joins or merges waits."""
    account = takes_account(whom)
    clubs = Q(pk__in=Player.objects.filter(pk__in=whom.players).values("club"))
    if account and whom.account is not None:
        lock_apart(User, [whom.account.pk])
        clubs |= Q(pk__in=whom.account.memberships.values("club"))
    ids = list(Club.every.filter(clubs).order_by("pk").values_list("pk", flat=True))
    others = Player.objects.filter(person=whom.person).values_list("club", flat=True) if whom.person else ()
    for pk in sorted({*ids, *others}):
        lock_club(pk)
    lock_apart(Person, [whom.person] if whom.person else [])
    return Erasure(whom, ids, account=account)


def claim_registrations(whom: Whom) -> None:
    """Who put himself down under the very name of a player, without an account, and never came, was that player; unless
    another of the club has his name."""
    for player in Player.objects.real().filter(pk__in=whom.players):
        words = " ".join(sorted(words_of(player.name)))
        if not has_twin(player.club_id, [tuple(words.split())], whom):
            loose = Applicant.objects.filter(session__tournament__club=player.club_id, player=None, user=None)
            with_licence = f"{words} {player.licence}"
            twice = Q(key__startswith=f"{words} #") | Q(key__startswith=f"{with_licence} #")
            loose.filter(Q(key__in={words, with_licence}) | twice).update(player=player)


def has_twin(club: int, forms: Iterable[tuple[str, ...]], whom: Whom) -> bool:
    """Whether somebody else on the club's list has one of these names, in whatever order."""
    twins = Player.objects.real().filter(club=club).exclude(pk__in=whom.players)
    names = twins.values_list("first_name", "last_name")
    called = {tuple(sorted(words_of(f"{first} {last}"))) for first, last in names}
    return any(tuple(sorted(form)) in called for form in forms)


def leave_coming_evenings(whom: Whom, *, now: dt.datetime) -> None:
    """He plays in no evening that is to come, and is not down for one."""
    drafts = Session.objects.filter(status=Session.Status.DRAFT)
    seats = seats_of(whom).filter(session__in=drafts, player__in=whom.players).order_by("session")
    for session, player in seats.values_list("session", "player"):
        lock_session(session)
        unseat_player(session_id=session, player_id=player)
    down = Q(player__in=whom.players)
    if whom.account is not None and takes_account(whom):
        down |= Q(user=whom.account)
    waiting = Applicant.objects.filter(down, session__in=drafts, withdrawn_at=None).order_by("session")
    for token in waiting.values_list("token", flat=True):
        withdraw(token=token, now=now)


def part_from_others(erasure: Erasure, *, by: User | None, now: dt.datetime) -> None:
    """What was said of who they are ends, and so do the ties to accounts. A question about somebody who is erased goes
    on as one about nobody, so that who asked it learns nothing. Entries in other clubs are other persons from now."""
    PersonLink.objects.filter(other__in=erasure.players, accepted_at=None).update(other=None, asked="")
    asked = PersonLink.objects.filter(one__in=erasure.players, accepted_at=None, ended_at=None)
    asked.update(ended_at=now, ended_by=by, asked="")
    own = Q(one__in=erasure.players) | Q(other__in=erasure.players)
    for link in links().filter(own, accepted_at__isnull=False, ended_at=None):
        log_link(link, "person_parted", now=now, by=by)
        PersonLink.objects.filter(pk=link.pk).update(ended_at=now, ended_by=by)
    Player.objects.filter(pk__in=erasure.whom.players).update(account=None)
    regroup(*Person.objects.filter(players__in=erasure.whom.players).distinct())


def delete_rows(kept: Kept, erasure: Erasure) -> None:
    if kept.goes:
        rows_about(kept, erasure.meant, kept.goes).delete()


def empty_rows(kept: Kept, erasure: Erasure) -> None:
    if not kept.empties:
        return
    rows = list(rows_about(kept, erasure.meant, kept.whose))
    for row in rows:
        for field, value in kept.empties.items():
            setattr(row, field, value(row) if callable(value) else value)
    kept.rows._base_manager.bulk_update(rows, [*kept.empties], batch_size=A_BATCH)


def free_of_name(erasure: Erasure) -> None:
    """His name, in what others typed and in what the log wrote down; not in a club where somebody else has it too, for
    the words are his as well."""
    for club in erasure.clubs:
        if not has_twin(club, erasure.name.forms, erasure.whom):
            for kept in (*KEPT, *TYPED):
                if kept.frees and kept.club_path:
                    free_rows(kept, kept.rows._base_manager.filter(**{kept.club_path: club}), erasure)
    for kept in KEPT:
        if kept.frees and not kept.club_path:
            free_rows(kept, kept.rows._base_manager.all(), erasure)


def free_rows(kept: Kept, rows: QuerySet[Any], erasure: Erasure) -> None:
    if kept.rows is LogEntry:
        rows = rows.filter(session__in=sat_in(erasure))
    his = set(rows_about(kept, erasure.meant, kept.whose).values_list("pk", flat=True)) if kept.whose else set()
    changed = []
    for row in naming(kept, rows, erasure).iterator(chunk_size=A_BATCH):
        before = [getattr(row, field) for field in kept.frees]
        after = erasure.name.take_out_of(before)
        about_him = row.pk in his or before != after
        after = erasure.name.take_out_of(after, alone=about_him)
        if before != after:
            for field, value in zip(kept.frees, after, strict=True):
                setattr(row, field, fitting(kept, field, value))
            changed.append(row)
    kept.rows._base_manager.bulk_update(changed, kept.frees, batch_size=A_BATCH)


def sat_in(erasure: Erasure) -> QuerySet[Session]:
    """Where the log may have his name: he sat there, or was down for it."""
    down = erasure.rows("tournaments.Applicant").values("session")
    return Session.objects.filter(Q(pk__in=seats_of(erasure.whom).values("session")) | Q(pk__in=down))


def naming(kept: Kept, rows: QuerySet[Any], erasure: Erasure) -> QuerySet[Any]:
    """Rows in which any word is that may be of the name. What people typed is read whole: they leave accents out."""
    found = Q()
    for field in kept.frees:
        if isinstance(kept.rows._meta.get_field(field), JSONField) or kept.rows is LogEntry:
            rows = rows.annotate(**{f"{field}_text": Cast(field, TextField())})
            for word in spelt(erasure):
                found |= Q(**{f"{field}_text__icontains": word})
        else:
            found |= ~Q(**{field: ""})
    return rows.filter(found).order_by("pk").only("pk", *kept.frees)


def spelt(erasure: Erasure) -> Iterable[str]:
    """Family names as the log wrote them, and as a database may keep their accents in plain data."""
    called = {each.last_name for each in erasure.players}
    called |= set(erasure.rows("tournaments.Applicant").values_list("last_name", flat=True))
    if erasure.account and erasure.whom.account is not None:
        called |= {erasure.whom.account.last_name, erasure.whom.account.username}
    return {form for name in called if name for form in (name, json.dumps(name)[1:-1])}


def fitting(kept: Kept, field: str, value: Any) -> Any:
    """The number may be longer than the name was."""
    most = getattr(kept.rows._meta.get_field(field), "max_length", None)
    return value[:most] if isinstance(value, str) else value
