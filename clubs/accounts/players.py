"""The accounts of players: personal links that work once, and accounts that ask a club which player they are.

A player's account has no role. It says who somebody is: all players linked to one account are one person, at most one
player in each club. The link to the account belongs to the player and not to the person. Other players of the same
person do not get the link, and no player loses it when persons are separated.
"""

import datetime as dt

from django.db import transaction
from django.db.models import QuerySet

from clubs.accounts.founding import make_account
from clubs.accounts.invitations import NewAccount
from clubs.accounts.one_use import find_one_use_link, make_link, may_still_make, use_up, why_over
from clubs.errors import AccountRefused
from clubs.house import settings_of
from clubs.log import log_club_action
from clubs.models import Club, PersonLink, Player, PlayerClaim, PlayerLink, User
from clubs.models.house import NOBODY, OPEN
from clubs.persons import PersonRefused, check_apart, joined_links, lock_persons, log_link, regroup
from clubs.roles import require_directing


def gives_accounts(club: Club) -> bool:
    return settings_of(club).player_accounts != NOBODY


def offers_accounts(club: Club) -> bool:
    """Return whether the club gives an account to anybody who asks."""
    return settings_of(club).player_accounts == OPEN


@transaction.atomic
def make_player_link(player: Player, *, now: dt.datetime, by: User) -> str:
    """Create a link by which the player opens an account, and return its token.

    Nobody can read the token again. Earlier links of the player are revoked.
    """
    club = player.club
    if not gives_accounts(club):
        raise AccountRefused("player_accounts_closed", club=club.name)
    if player.account_id is not None:
        raise AccountRefused("player_has_account", name=player.name)
    find_open_player_links(player).update(revoked_at=now)
    Club.every.select_for_update().get(pk=club.pk)
    require_directing(by, club)
    token = make_link(PlayerLink, now=now, by=by, player=player)
    log_club_action(club, "player_link_made", now=now, by=by, whom=player.name)
    return token


def find_open_player_links(player: Player) -> QuerySet[PlayerLink]:
    """Return the links of the player that are neither used nor revoked."""
    return PlayerLink.objects.filter(player=player, used_at=None, revoked_at=None)


@transaction.atomic
def revoke_player_link(player: Player, *, now: dt.datetime, by: User) -> None:
    """Revoke the player's open links. Do nothing if there are none."""
    if find_open_player_links(player).update(revoked_at=now):
        log_club_action(player.club, "player_link_revoked", now=now, by=by, whom=player.name)


def find_player_link(token: str, *, now: dt.datetime, lock: bool = False) -> PlayerLink:
    """Return the link with this token, with its player. Raise AccountRefused if it is unknown or not valid."""
    links = PlayerLink.objects.select_related("player__club", "player__merged_into__club", "made_by")
    link = find_one_use_link(links, token, lock=lock)
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
def take_player_link(token: str, who: User | NewAccount, *, now: dt.datetime) -> User:
    """Link the player of this link to an existing account or to a new one. Return the account.

    If the player was merged into another player, that other player is linked.
    """
    link = find_player_link(token, now=now, lock=True)
    user = who if isinstance(who, User) else make_account(who.name, email=who.email, password=who.password)
    player = link.player.is_now
    tie(player, user, by=user, now=now)
    use_up(link, now)
    log_club_action(player.club, "player_came", now=now, by=user, whom=player.name)
    return user


def tie(player: Player, user: User, *, by: User, now: dt.datetime) -> None:
    """Link the player to this account. Then the player and the account's players in other clubs are one person.

    If the player already has this account, do nothing. Raise AccountRefused or PersonRefused if the player has another
    account, or if the account has another player of the club.
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
    fields = {f"{name}_by": who for name, who in said.items()} | {f"{name}_at": now for name in said}
    for each in mine:
        link = PersonLink(
            one=each, other=player, asked_club=player.club, reason=PersonLink.LinkReason.ACCOUNT, **fields
        )
        link.save()
    regroup(player.person, *(each.person for each in mine))
    if mine:
        log_link(link, "person_joined", now=now, by=user)


@transaction.atomic
def untie(player: Player, *, by: User, now: dt.datetime) -> None:
    """End the link between the player and the account. The account keeps its players in other clubs.

    If only the account made the player one person with them, they become separate persons. Do nothing if there is no
    account.
    """
    lock_persons(player)
    if player.account_id is None:
        return
    player.account = None
    player.save(update_fields=["account"])
    log_club_action(player.club, "player_untied", now=now, by=by, whom=player.name)
    own = joined_links(player).filter(reason=PersonLink.LinkReason.ACCOUNT)
    if (first := own.first()) is not None:
        log_link(first, "person_parted", now=now, by=by)
        own.update(ended_at=now, ended_by=by)
    regroup(player.person)


@transaction.atomic
def make_asking_account(name: str, *, email: str, password: str, club: Club, now: dt.datetime) -> User:
    """Create an account for somebody who has confirmed their address, and return it.

    The account asks the club which of its players this person is.
    """
    user = make_account(name, email=email, password=password, confirmed=True)
    claim(club, user, now=now)
    return user


def claim(club: Club, user: User, *, now: dt.datetime) -> None:
    """Ask the directors of the club which player the account is. A second call asks nothing new."""
    if not offers_accounts(club):
        raise AccountRefused("player_accounts_closed", club=club.name)
    if not Player.objects.filter(club=club, account=user).exists():
        PlayerClaim.objects.get_or_create(club=club, user=user, defaults={"asked_at": now})


def take_back_claim(claim_id: int, user: User) -> None:
    """Delete the account's question to a club, if it still exists."""
    PlayerClaim.objects.filter(user=user, pk=claim_id).delete()


@transaction.atomic
def answer_claim(claim_id: int, player: Player | None, *, club: Club, by: User, now: dt.datetime) -> None:
    """Record a director's answer: the account is this player, or, with None, no player of this club."""
    claims = PlayerClaim.objects.select_for_update(of=("self",)).select_related("user").filter(pk=claim_id, club=club)
    claim = claims.first()
    if claim is None:
        raise AccountRefused("claim_gone")
    whom = player.name if player else claim.user.shown_name
    if player is not None:
        tie(player, claim.user, by=by, now=now)
    claim.delete()
    log_club_action(club, "player_tied" if player else "claim_refused", now=now, by=by, whom=whom)
