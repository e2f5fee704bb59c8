"""The person whose data are requested: their players on the lists of clubs, their account, and the rows about them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from archives.privacy.personal_data import PersonalData, follow
from clubs.models import Club, Person, Player, User
from evenings.teams.membership import find_entries
from tournaments.models import Entrant, Publication, Session


@dataclass(frozen=True, slots=True)
class Whom:
    """The person whose data are requested.

    `players` are the ids of all players that are this person; `person` is the id of the row that joins these players.
    With `club`, only data of that club are meant. With `by_link`, the reader has only opened the link on the person's
    papers, which somebody else may have found.
    """

    players: tuple[int, ...] = ()
    person: int | None = None
    account: User | None = None
    club: Club | None = None
    by_link: bool = False

    @property
    def is_for_director(self) -> bool:
        """True if a director of the club asks."""
        return self.club is not None and not self.by_link


def whom_of_account(user: User) -> Whom:
    """Return the person of an account, with the account's players in all clubs."""
    tied = Q(account=user) | Q(merged_into__account=user)
    players = list(Player.objects.filter(tied).order_by("pk").values_list("pk", "person"))
    return Whom(tuple(pk for pk, _person in players), players[0][1] if players else None, user)


def whom_of_player(player: Player, *, by_link: bool = False) -> Whom:
    """Return the person of a player, limited to the data of the player's club.

    The account is included if the player has one, unless `by_link` is True.
    """
    players = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player.pk)).order_by("pk")
    account = None if by_link else player.account
    return Whom(tuple(players.values_list("pk", flat=True)), player.person_id, account, player.club, by_link)


def under_way() -> QuerySet[Session]:
    """Return the sessions that are running, neither closed nor published. An export may not show their results."""
    published = Publication.objects.filter(session=OuterRef("pk"))
    running = Session.objects.filter(status=Session.Status.RUNNING, closed_at=None, put_away_at=None)
    return running.filter(~Exists(published))


def seats_of(whom: Whom) -> QuerySet[Entrant]:
    """Return the entrants with which the person played: as the entrant, as a stand-in, or as a member of a team."""
    return find_entries(whom.players)


def rows_about(kept: PersonalData, whom: Whom, paths: tuple[str, ...]) -> QuerySet[Any]:
    """Return the rows of `kept.model` that are about the person, by one of these paths. Each row is returned once.

    If `whom` has a club, only rows of that club are returned.
    """
    rows: QuerySet[Any] = kept.rows._base_manager.all()
    if whom.club is not None and not kept.club_path:
        return rows.none()
    is_about = Q()
    for path in paths:
        empty = {f"{each}__isnull": True for each in kept.unless.get(path, ())}
        if condition := leads_to(kept, path, whom):
            is_about |= condition & Q(**empty)
    if not is_about:
        return rows.none()
    if whom.club is not None:
        is_about &= Q(**{kept.club_path: whom.club})
    return rows.filter(is_about)


def leads_to(kept: PersonalData, path: str, whom: Whom) -> Q:
    """Return the condition for one path. It is empty if the person has no such thing, for example no account."""
    where, column = follow(kept.rows, path)
    key = path or "pk"
    if where is Player:
        return Q(**{f"{key}__in": whom.players}) if whom.players else Q()
    if where is Person:
        return Q(**{key: whom.person}) if whom.person is not None and whom.club is None else Q()
    if where is Entrant:
        entrants = seats_of(whom).filter(team=None) if kept.alone else seats_of(whom)
        return Q(**{f"{key}__in": entrants.values("pk")}) if whom.players else Q()
    if whom.account is None:
        return Q()
    if where is User:
        return Q(**{key: whom.account.pk})
    assert column is not None, path
    condition = Q()
    for text in filter(None, (whom.account.username, whom.account.email)):
        condition |= Q(**{f"{key}__iexact": text})
    return condition
