"""Who has which role in a club, changed and ended; a club never loses its last director."""

import datetime as dt

from django.db import transaction

from clubs.accounts.errors import AccountRefused
from clubs.accounts.links import make_password_link
from clubs.accounts.log import log
from clubs.accounts.roles import DIRECTOR, clubs_of, directed_by
from clubs.models import Club, ClubSettings, Membership, User


def language_of(user: User) -> str:
    """The one that all his clubs have chosen; "" where they differ, or leave it open."""
    chosen = ClubSettings.objects.filter(club__in=clubs_of(user))
    languages = set(chosen.values_list("language", flat=True))
    return languages.pop() if len(languages) == 1 else ""


@transaction.atomic
def change_role(
    club: Club, membership_id: int, role: str, *, now: dt.datetime, by: User, ends_on: dt.date | None = None
) -> None:
    """Raises `AccountRefused` where no lasting director would be left, or the role is gone."""
    member = lock_member(club, membership_id)
    if role != DIRECTOR or ends_on is not None:
        require_another_director(member)
    member.role, member.ends_on = role, ends_on
    member.save(update_fields=["role", "ends_on"])
    log(club, "role_changed", now=now, by=by, whom=member.user.shown_name, role=role)


@transaction.atomic
def end_role(club: Club, membership_id: int, *, now: dt.datetime, by: User) -> None:
    member = lock_member(club, membership_id)
    require_another_director(member)
    member.delete()
    if member.user_id == by.pk:
        log(club, "left", now=now, by=by)
    else:
        log(club, "role_ended", now=now, by=by, whom=member.user.shown_name)


def lock_member(club: Club, membership_id: int) -> Membership:
    """The club's row is locked first, so that two who leave at once do so one after the other."""
    Club.every.select_for_update().get(pk=club.pk)
    member = Membership.objects.select_related("user").filter(pk=membership_id, club=club).first()
    if member is None:
        raise AccountRefused("role_gone")
    return member


def require_another_director(member: Membership) -> None:
    lasting = Membership.objects.filter(club=member.club_id, role=DIRECTOR, ends_on=None, user__is_active=True)
    if member in lasting and not lasting.exclude(pk=member.pk).exists():
        raise AccountRefused("last_director")


@transaction.atomic
def help_with_password(club: Club, membership_id: int, *, now: dt.datetime, by: User) -> str:
    """The path of a link for one of the team. Nobody gains by it what he has not: whoever has a role in a club that is
    not directed by `by`, or looks after the site, is helped by others."""
    member = lock_member(club, membership_id)
    elsewhere = Membership.objects.filter(user=member.user).exclude(club__in=directed_by(by))
    if member.user.is_staff or member.user.is_superuser or not member.user.is_active or elsewhere.exists():
        raise AccountRefused("not_yours_to_help", name=member.user.shown_name)
    log(club, "password_link_made", now=now, by=by, whom=member.user.shown_name)
    return make_password_link(member.user)
