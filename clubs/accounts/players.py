"""Accounts of players: a personal link, once, for a time, until it is taken back; what an account asks for, answered.

Such an account has no role. It says who somebody is: the players that are tied to it, one a club, are one person. The
tie belongs to the player: no other player gets it by being the same person, and none loses it by being parted.
"""

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from clubs.accounts.errors import AccountRefused
from clubs.accounts.founding import make_account
from clubs.accounts.invitations import Newcomer
from clubs.accounts.log import log
from clubs.accounts.one_use import find_link, make_link, may_still_make, use_up, why_over
from clubs.accounts.roles import require_directing
from clubs.house import settings_of
from clubs.models import Club, PersonLink, Player, PlayerClaim, PlayerLink, User
from clubs.models.house import NOBODY, OPEN
from clubs.persons import PersonRefused, check_apart, joined_links, lock_persons, log_link, regroup


def gives_accounts(club: Club) -> bool:
    return settings_of(club).player_accounts != NOBODY


def is_open(club: Club) -> bool:
    """Whether whoever asks may have an account."""
    return settings_of(club).player_accounts == OPEN


@transaction.atomic
def make_player_link(player: Player, *, now: dt.datetime, by: User) -> str:
    """The token of a new link, which nobody can read again; those made before it serve no more."""
    club = player.club
    if not gives_accounts(club):
        raise AccountRefused("player_accounts_closed", club=club.name)
    if player.account_id is not None:
        raise AccountRefused("player_has_account", name=player.name)
    waiting(player).update(revoked_at=now)
    Club.every.select_for_update().get(pk=club.pk)
    require_directing(by, club)
    token = make_link(PlayerLink, now=now, by=by, player=player)
    log(club, "player_link_made", now=now, by=by, whom=player.name)
    return token


def waiting(player: Player) -> QuerySet[PlayerLink]:
    """Return the player's links that are neither used nor taken back."""
    return PlayerLink.objects.filter(player=player, used_at=None, revoked_at=None)


@transaction.atomic
def revoke_player_link(player: Player, *, now: dt.datetime, by: User) -> None:
    """Twice is once."""
    if waiting(player).update(revoked_at=now):
        log(player.club, "player_link_revoked", now=now, by=by, whom=player.name)


def find_player_link(token: str, *, now: dt.datetime, lock: bool = False) -> PlayerLink:
    """With the player as he is now. Raises `AccountRefused` for one that lets nobody in any more, or never did."""
    links = PlayerLink.objects.select_related("player__club", "player__merged_into__club", "made_by")
    link = find_link(links, token, lock=lock)
    if link is None:
        raise AccountRefused("player_link_unknown")
    club = link.player.club
    if over := why_over(link, now):
        raise AccountRefused(f"player_link_{over}", club=club.name)
    if not may_still_make(link, club):
        raise AccountRefused("player_link_maker_gone", club=club.name)
    if not gives_accounts(club):
        raise AccountRefused("player_accounts_closed", club=club.name)
    return link


@transaction.atomic
def take_player_link(token: str, who: User | Newcomer, *, now: dt.datetime) -> User:
    """Ties the player to an account, or to one that is made for him."""
    link = find_player_link(token, now=now, lock=True)
    user = who if isinstance(who, User) else make_account(who.name, email=who.email, password=who.password)
    player = link.player.is_now
    tie(player, user, by=user, now=now)
    use_up(link, now)
    log(player.club, "player_came", now=now, by=user, whom=player.name)
    return user


def tie(player: Player, user: User, *, by: User, now: dt.datetime) -> None:
    """The player is this account's, and one person with whom it has in other clubs. Said already, nothing is done.

    `AccountRefused` or `PersonRefused` where the player has another account, or the account another player of the club.
    """
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    mine = list(Player.objects.real().filter(account=user).select_related("club").order_by("pk"))
    lock_persons(player, *mine)
    if player.account_id == user.pk:
        return
    if player.account_id is not None:
        raise AccountRefused("player_has_account", name=player.name)
    for each in mine:
        if each.club_id == player.club_id:
            raise PersonRefused("person_twice", club=player.club.name)
        if each.person_id != player.person_id:
            check_apart(each, player)
    PlayerClaim.objects.filter(club=player.club_id, user=user).delete()
    player.account = user
    player.save(update_fields=["account"])
    said = {"proposed": by, "one_agreed": user, "other_agreed": by, "accepted": by}
    told = {f"{name}_by": who for name, who in said.items()} | {f"{name}_at": now for name in said}
    for each in mine:
        link = PersonLink(one=each, other=player, asked_club=player.club, reason=PersonLink.Reason.ACCOUNT, **told)
        link.save()
    regroup(player.person, *(each.person for each in mine))
    if mine:
        log_link(link, "person_joined", now=now, by=user)


@transaction.atomic
def untie(player: Player, *, by: User, now: dt.datetime) -> None:
    """The player is no account's any more, nor by it one person with others; whom the account has elsewhere it keeps.
    Twice is once."""
    lock_persons(player)
    if player.account_id is None:
        return
    player.account = None
    player.save(update_fields=["account"])
    log(player.club, "player_untied", now=now, by=by, whom=player.name)
    own = joined_links(player).filter(reason=PersonLink.Reason.ACCOUNT)
    if (first := own.first()) is not None:
        log_link(first, "person_parted", now=now, by=by)
        own.update(ended_at=now, ended_by=by)
    regroup(player.person)


@transaction.atomic
def come(name: str, *, email: str, password: str, club: Club, now: dt.datetime) -> User:
    """An account for who has confirmed his address, which asks the club who he is there."""
    user = make_account(name, email=email, password=password, confirmed=True)
    claim(club, user, now=now)
    return user


def claim(club: Club, user: User, *, now: dt.datetime) -> None:
    """The account asks the club's directors which player it is. Twice is once."""
    if not is_open(club):
        raise AccountRefused("player_accounts_closed", club=club.name)
    if not Player.objects.filter(club=club, account=user).exists():
        PlayerClaim.objects.get_or_create(club=club, user=user, defaults={"asked_at": now})


@transaction.atomic
def answer_claim(claim_id: int, player: Player | None, *, club: Club, by: User, now: dt.datetime) -> None:
    """A director's word: which player the account is, or with None that it is nobody's here."""
    found = PlayerClaim.objects.select_for_update(of=("self",)).select_related("user").filter(pk=claim_id, club=club)
    asked = found.first()
    if asked is None:
        raise AccountRefused("claim_gone")
    whom = player.name if player else asked.user.shown_name
    if player is not None:
        tie(player, asked.user, by=by, now=now)
    asked.delete()
    log(club, "player_tied" if player else "claim_refused", now=now, by=by, whom=whom)
