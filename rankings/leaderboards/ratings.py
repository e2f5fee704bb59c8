"""The ratings of all people: players as persons, and stored plays → `scoring.rating` → the rating of each person.

A person may be a player of several clubs, and a player may have been merged into another one. All their results count
for one person. An erased player still counts as an opponent, but has no figures.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from clubs.models import Player, Visibility
from scoring.rating.auction import AuctionEtui, AuctionPlay, rate_auction
from scoring.rating.players import PlayerRating, RatedEtui, RatedPlay, rate
from tournaments.models import GameKind, RatedSession
from tournaments.rules.etuis import BEFORE

NOBODY = 0  # the person of a player who is erased


class PlayerRow(NamedTuple):
    """The columns of a player that decide for whom the player's results count, and who is listed."""

    pk: int
    person: int
    now: int | None
    club: int
    is_erased: bool
    is_named: bool
    is_unrated: bool


@dataclass(frozen=True, slots=True)
class People:
    """The persons of all players. `person_of` and `player_of` are by the player id in a publication.

    `player_of` has the player into whom the player was merged. `club_of` has the club of each player. `named` are the
    persons who are shown by name in public, and `unrated` those whose rating is switched off.
    """

    person_of: dict[int, int]
    player_of: dict[int, int]
    club_of: dict[int, int]
    named: frozenset[int]
    unrated: frozenset[int]

    def find_person(self, player: int) -> int:
        """Return the person of a player, or NOBODY. A player without a row is nobody, too."""
        return self.person_of.get(player, NOBODY)

    def find_opponent(self, player: int) -> int:
        """Return the number by which a rating knows a player: the person, or a number below 0 for an erased player."""
        return self.person_of.get(player) or -player


def read_rated_people() -> tuple[People, list[PlayerRow]]:
    """Return all people, and the rows from which they were read. One query."""
    columns = ("pk", "person_id", "merged_into_id", "club_id", "erased_at", "merged_into__erased_at", "person__shown")
    rows = Player.objects.order_by("pk").values_list(*columns, "unrated_by_self", "unrated_by_club")
    player_rows = [
        PlayerRow(pk, person, now, club, bool(erased or gone), shown == Visibility.NAME, own or others)
        for pk, person, now, club, erased, gone, shown, own, others in rows
    ]
    return gather_people(player_rows), player_rows


def gather_people(rows: Iterable[PlayerRow]) -> People:
    """Return who the players in these rows are as persons. Erased players are left out."""
    present = [row for row in rows if not row.is_erased]
    return People(
        person_of={row.pk: row.person for row in present},
        player_of={row.pk: row.now or row.pk for row in present},
        club_of={row.pk: row.club for row in present},
        named=frozenset(row.person for row in present if row.is_named),
        unrated=frozenset(row.person for row in present if row.is_unrated),
    )


RATED = (GameKind.IMPOSED, GameKind.FREE)  # teams have no rating
EtuiKey = tuple[int, int, int, int]  # the field, the étui, its part, and the session whose plays are alone with it


class RatedFigures(NamedTuple):
    """The columns of a `PersonRating`, besides its kind, its person and its position."""

    player: int
    figure: Decimal
    attack: Decimal | None
    defence: Decimal | None
    within: Decimal
    sessions: int
    deals: int
    group: int


class RatedPlays:
    """The compared plays of all sessions of one kind, by étui, with what else the ratings need.

    Sessions are added in the order of their days. `player_of` has the player of each person in their last session, and
    `sessions` how many sessions each person has. All numbers of people are those of `People.find_opponent`.
    """

    def __init__(self, people: People) -> None:
        self.people = people
        self.plays: defaultdict[EtuiKey, list[Any]] = defaultdict(list)
        self.days: dict[EtuiKey, int] = {}
        self.player_of: dict[int, int] = {}
        self.sessions: Counter[int] = Counter()

    def add_session(self, row: RatedSession) -> None:
        rated_players: dict[int, int] = {}
        day, is_free = row.date.toordinal(), not GameKind(row.kind).names_taker
        for etui, part, *notes_and_ids in row.plays:
            notes = [note / row.den for note in (notes_and_ids[:4] if is_free else notes_and_ids[:1])]
            ids = notes_and_ids[4:] if is_free else notes_and_ids[1:]
            four = [self.people.find_opponent(player) for player in ids]
            if len(set(four)) < 4:  # two players of the table turned out to be one person
                continue
            rated_players.update(zip(four, ids, strict=True))
            key = (row.field, etui, part, 0 if part == BEFORE else row.pk)
            self.days[key] = max(day, self.days.get(key, 0))
            self.plays[key].append(make_play(four, notes))
        for person, player in rated_players.items():
            self.sessions[person] += 1
            self.player_of[person] = self.people.player_of.get(player, 0)

    def rate(self, kind: GameKind) -> dict[int, PlayerRating]:
        """Return the rating of everybody who played in these sessions, erased players too."""
        if kind.names_taker:
            return rate(RatedEtui(self.days[key], tuple(plays)) for key, plays in self.plays.items())
        return rate_auction(AuctionEtui(self.days[key], tuple(plays)) for key, plays in self.plays.items())


def make_play(four: list[int], notes: list[float]) -> AuctionPlay | RatedPlay:
    one, two, three, last = four
    if len(notes) == 4:
        return AuctionPlay((one, two, three, last), (notes[0], notes[1], notes[2], notes[3]))
    return RatedPlay(one, (two, three, last), notes[0])


def rate_people(sessions: Iterable[RatedSession], kind: GameKind, people: People) -> dict[int, RatedFigures]:
    """Return the rating of each person, by id. The sessions are of this kind, sorted by date and id.

    People whose rating is switched off are among them: they are opponents. Who stores or shows the result leaves them
    out.
    """
    plays = RatedPlays(people)
    for session in sessions:
        plays.add_session(session)
    rated = plays.rate(kind)
    return {
        person: RatedFigures(
            plays.player_of[person],
            write_digits(rating.figure),
            None if rating.attack is None else write_digits(rating.attack),
            None if rating.defence is None else write_digits(rating.defence),
            write_digits(rating.within),
            plays.sessions[person],
            rating.deals,
            rating.group,
        )
        for person, rating in number_groups(rated).items()
        if person > 0
    }


def number_groups(ratings: Mapping[int, PlayerRating]) -> dict[int, PlayerRating]:
    """Return the ratings with the lowest person id of each group as its number, instead of that of an erased player."""
    lowest: dict[int, int] = {}
    for person in sorted(person for person in ratings if person > 0):
        lowest.setdefault(ratings[person].group, person)
    return {person: rating._replace(group=lowest[rating.group]) for person, rating in ratings.items() if person > 0}


def write_digits(number: float) -> Decimal:
    """Return a rounded number as it is stored. Its text has the digits that it was rounded to."""
    return Decimal(repr(number))
