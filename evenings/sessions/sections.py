"""The sections: sessions of a tournament that play the same étuis. They are put together here, and separated again."""

import datetime as dt
from collections.abc import Collection
from string import ascii_uppercase
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from clubs.models import User
from clubs.session_settings import settings_with
from evenings.plans.sections import check_sections
from evenings.plays.entering import raise_results_version
from tournaments.errors import ActionRefused
from tournaments.locks import lock_sections, lock_tournament
from tournaments.log import log_action
from tournaments.models import SectionGroup, Session, Tournament
from tournaments.queue import queue_tournament

MOST_SECTIONS = len(ascii_uppercase)


class Together(NamedTuple):
    """The settings of sections: whether their plays are compared together, and their players ranked together."""

    one_topage: bool = True
    one_ranking: bool = True


@transaction.atomic
def put_together(
    *, tournament_id: int, numbers: Collection[int], how: Together, by: User, now: dt.datetime
) -> SectionGroup:
    """Turn the sessions with these numbers into sections A, B and so on, even if they are under way or over.

    In the tournament's ranking they count as one round. So each gets the weight of the first, and its log records the
    change. Return the group. Raise `ActionRefused` if there are fewer than two sessions, if their étuis differ, or if a
    player is in two of them. Raise it also for a session that is unknown or already a section.
    """
    tournament = lock_tournament(tournament_id)
    named = dict(tournament.sessions.filter(number__in=numbers).values_list("number", "pk"))
    for number in numbers:
        if number not in named:
            raise ActionRefused("sections_unknown", "sessions", number=number)
    if not 2 <= len(named) <= MOST_SECTIONS:
        raise ActionRefused("sections_two", "sessions", most=MOST_SECTIONS)
    sessions = sorted(lock_sections(named.values()), key=lambda session: session.number)
    for session in sessions:
        if session.group_id is not None:
            raise ActionRefused("section_already", "sessions", number=session.number)
    check_sections(sessions)
    group = SectionGroup.objects.create(tournament=tournament, **how._asdict())
    for letter, session in zip(ascii_uppercase, sessions, strict=False):
        session.group, session.section = group, session.section or letter
        weigh_alike(session, sessions[0], by=by, now=now)
        session.save(update_fields=["group", "section", *settings_with("is_weight")])
        told = {
            "section": session.section,
            "others": ", ".join(str(each.number) for each in sessions if each != session),
        }
        log_action(session, "put_together" if how.one_topage else "ranked_together", now=now, by=by, **told)
    rank_anew(tournament_id)
    if how.one_topage:
        ask_anew(sessions)
    return group


def weigh_alike(session: Session, first: Session, *, by: User, now: dt.datetime) -> None:
    """Give a section the same weight in the tournament's ranking as the first section, and log each change."""
    for field in settings_with("is_weight"):
        before, after = getattr(session, field), getattr(first, field)
        if before != after:
            setattr(session, field, after)
            log_action(session, "edited", now=now, by=by, setting=field, before=str(before), after=str(after))


@transaction.atomic
def part_sections(*, tournament_id: int, group_id: int, by: User, now: dt.datetime) -> None:
    """Separate sections: each is an ordinary session again, and only its own plays are compared.

    The call is idempotent.
    """
    lock_tournament(tournament_id)
    group = SectionGroup.objects.filter(tournament=tournament_id, pk=group_id).first()
    if group is None:
        return
    sessions = lock_sections(group.sections.values_list("pk", flat=True))
    for session in sessions:
        log_action(session, "parted", now=now, by=by, section=session.section)
        session.group, session.section = None, ""
        session.save(update_fields=["group", "section"])
    compared = group.one_topage
    group.delete()
    rank_anew(tournament_id)
    if compared:
        ask_anew(sessions)


def rank_anew(tournament_id: int) -> None:
    """Queue the computation of the tournament's ranking, because its rounds have changed. The caller holds the lock."""
    Tournament.objects.filter(pk=tournament_id).update(revision=F("revision") + 1)
    queue_tournament(tournament_id)


def ask_anew(sessions: Collection[Session]) -> None:
    """Queue a full computation of the standings for each of these sessions that is under way."""
    for session in sorted(sessions, key=lambda each: each.pk):
        if session.status == Session.Status.RUNNING:
            raise_results_version(session.pk)
