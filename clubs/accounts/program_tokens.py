"""The tokens of programs: a director makes one, a program uses the API with it, and any director of the club ends it.

A token begins with `topage_`, so that programs that look for secrets in published files recognise it. It gives no more
than the role of its account in the club now. It ends on its last day, with the role, with the account, and when the
password changes or its owner logs out everywhere.
"""

import datetime as dt
import re
import secrets
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare

from clubs.accounts.one_use import digest
from clubs.errors import AccountRefused
from clubs.log import log_club_action
from clubs.models import Club, Membership, ProgramToken, Scope, User
from clubs.roles import HELPER, ends_later, has_ended, latest_day, require_directing

PREFIX = "topage_"
SECRET = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")  # a token has 32 random bytes, written as 43 letters
LONGEST = dt.timedelta(days=365)
MOST = 50  # the most tokens in use in a club
NOTED_EVERY = dt.timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class NewToken:
    """The data of a token that a director asks for: its name, its scopes and its last day."""

    name: str
    scopes: frozenset[str]
    ends_on: dt.date


@transaction.atomic
def make_program_token(club: Club, asked: NewToken, *, now: dt.datetime, by: User) -> str:
    """Create a token for a program of the director `by`, and return it. Nobody can read it again.

    Raise AccountRefused if `by` does not direct the club, or if the club has too many tokens. Raise it also if the
    scope is missing, if `by` uses the name already, or if the last day is past or too late.
    """
    Club.every.select_for_update().get(pk=club.pk)
    member = require_directing(by, club)
    latest = latest_day(member, LONGEST, now)
    if not asked.scopes:
        raise AccountRefused("token_without_scope", "scopes")
    if has_ended(asked.ends_on, now):
        raise AccountRefused("token_ends_too_early", "ends_on")
    if ends_later(asked.ends_on, latest):
        raise AccountRefused("token_ends_too_late", "ends_on", day=latest)
    ones_in_use = [token for token in tokens_of(club).filter(ended_at=None) if not why_token_is_over(token, now)]
    if len(ones_in_use) >= MOST:
        raise AccountRefused("too_many_tokens", most=MOST)
    if any(token.member_id == member.pk and token.name == asked.name for token in ones_in_use):
        raise AccountRefused("token_name_taken", "name", token=asked.name)
    # A token of this name may have ended for another reason, for example with the role. Its row does not show this yet.
    ProgramToken.objects.filter(member=member, name=asked.name, ended_at=None).update(ended_at=now)
    secret = PREFIX + secrets.token_urlsafe(32)
    ProgramToken.objects.create(
        member=member,
        name=asked.name,
        digest=digest(secret),
        access=by.get_session_auth_hash(),
        may_read=Scope.READ in asked.scopes,
        may_enter=Scope.ENTER in asked.scopes,
        may_direct=Scope.DIRECT in asked.scopes,
        made_at=now,
        ends_on=asked.ends_on,
    )
    log_club_action(club, "token_made", now=now, by=by, token=asked.name)
    return secret


@transaction.atomic
def end_program_token(club: Club, token_id: int, *, now: dt.datetime, by: User) -> None:
    """End a token of the club, whoever made it. Do nothing if it has ended.

    Raise AccountRefused if `by` does not direct the club.
    """
    Club.every.select_for_update().get(pk=club.pk)
    require_directing(by, club)
    end_tokens(tokens_of(club).filter(pk=token_id), now=now, by=by)


def end_tokens_of_role(member: Membership, *, now: dt.datetime, by: User) -> None:
    """End all tokens of a role that ends, or that was over and is given again. The caller has locked the club."""
    end_tokens(tokens_of(member.club).filter(member=member), now=now, by=by)


def end_tokens(tokens: QuerySet[ProgramToken], *, now: dt.datetime, by: User) -> None:
    for token in tokens.filter(ended_at=None).order_by("pk").select_for_update(of=("self",)):
        ProgramToken.objects.filter(pk=token.pk).update(ended_at=now, ended_by=by)
        whom = token.member.user.shown_name
        log_club_action(token.member.club, "token_ended", now=now, by=by, token=token.name, whom=whom)


def tokens_of(club: Club) -> QuerySet[ProgramToken]:
    """Return all tokens of the club, the newest first."""
    return ProgramToken.objects.filter(member__club=club).select_related("member__user", "member__club", "ended_by")


def find_program_token(secret: str, now: dt.datetime) -> ProgramToken | None:
    """Return the token with this secret, with its role and account, or None if it is unknown or over.

    This takes one query. The query compares digests. Its time tells nothing about a token, because nobody can choose a
    digest.
    """
    if not SECRET.fullmatch(secret):
        return None
    token = ProgramToken.objects.select_related("member__user").filter(digest=digest(secret)).first()
    return None if token is None or why_token_is_over(token, now) else token


def why_token_is_over(token: ProgramToken, now: dt.datetime) -> str:
    """Return `ended`, `expired`, `role` or `password`, or "" if the token can be used."""
    member = token.member
    if token.ended_at is not None:
        return "ended"
    if has_ended(token.ends_on, now):
        return "expired"
    if has_ended(member.ends_on, now) or not member.user.is_active:
        return "role"
    return "" if constant_time_compare(token.access, member.user.get_session_auth_hash()) else "password"


def find_role_within(token: ProgramToken, need: str) -> str | None:
    """Return the role in which a program may do something that needs the scope `need`.

    Return None if the token does not have this scope. A token that may only enter results may read the same as a
    helper.
    """
    if token.may_direct or (token.may_read and need == Scope.READ):
        return token.member.role
    return HELPER if token.may_enter and need != Scope.DIRECT else None


def is_use_to_note(token: ProgramToken, now: dt.datetime) -> bool:
    """Return whether to store a use now: the stored one is too old, or in the future because the clock was set back."""
    return token.used_at is None or not token.used_at <= now < token.used_at + NOTED_EVERY


def note_token_use(token_id: int, *, now: dt.datetime) -> None:
    """Store that the token is used now, unless a use of the last ten minutes is stored."""
    noted = Q(used_at__gt=now - NOTED_EVERY, used_at__lte=now)
    ProgramToken.objects.filter(pk=token_id, ended_at=None).exclude(noted).update(used_at=now)
