"""The rating of players: their strength in attack and in defence, from the notes of compared plays.

A taker's note less 50 is the taker's attack less the defence of the three others, and chance. The mean of this over the
plays of the étui is taken off, because a note compares plays. The strengths are those that explain all notes best, by
least squares. A prior draws them to 0, the mean of all players. All numbers are in points of %, like notes.
`docs/rating.md` has the formulas and measurements.

The same plays give the same digits on every machine, in whatever order they come. So the plays are sorted first.
Long sums are exact before they are rounded (`fsum`), and other sums have a fixed order. The only operations are + − × ÷
and √. The number of passes is fixed, and results are rounded once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from scoring.rating.equations import ATTACK_SHARE, DEFENCE_SHARE, Row, find_strengths, measure_noise

A_DAY = 0.9981027686515946  # the weight of a play one day older: 2 to the power of −1/365
LEAST_DEALS = 100  # with fewer deals, a rating is provisional
NORMAL = 1.959964  # standard deviations on each side that hold 95 of 100 cases
DIGITS = 2  # after the point


class RatedPlay(NamedTuple):
    """A compared play of an étui: the players' ids, and the taker's note from 0 to 100. The defenders are sorted."""

    taker: int
    defenders: tuple[int, int, int]
    note: float


class RatedEtui(NamedTuple):
    """The compared plays of an étui. `day` is the number of the day on which it was played."""

    day: int
    plays: tuple[RatedPlay, ...]


class PlayerRating(NamedTuple):
    """The rating of a player in points of %: `figure` is ¼ of the attack and ¾ of the defence.

    In a free auction a player has one strength, and `attack` and `defence` are None.

    `within`: with 95 %, the true figure is not further away than this. `deals` is the number of plays. `group` is the
    lowest id of the players with whom the player can be compared. Figures of different groups cannot be compared.
    """

    figure: float
    attack: float | None
    defence: float | None
    within: float
    deals: int
    group: int

    @property
    def is_provisional(self) -> bool:
        return self.deals < LEAST_DEALS


def rate(etuis: Iterable[RatedEtui]) -> dict[int, PlayerRating]:
    """Return the rating of each player of these étuis, by id. The plays of the newest day count most.

    Étuis with fewer than two plays are left out. Raise `ValueError` if a player sits twice at a table, or if a note is
    not from 0 to 100.
    """
    sorted_etuis = sorted(sort_plays(etui) for etui in etuis if len(etui.plays) > 1)
    check_plays(sorted_etuis)
    deals = count_deals(sorted_etuis)
    players = sorted(deals)
    if not players:
        return {}
    place = {player: number for number, player in enumerate(players)}
    newest = max(etui.day for etui in sorted_etuis)
    rows = [make_row(etui, place, weigh_day(newest - etui.day)) for etui in sorted_etuis]
    noise = measure_noise(rows)
    attack, defence, variance = find_strengths(rows, len(players), noise)
    groups = find_groups([(each.taker, *each.defenders) for each in etui.plays] for etui in sorted_etuis)
    return {
        player: PlayerRating(
            round(ATTACK_SHARE * attack[at] + DEFENCE_SHARE * defence[at], DIGITS),
            round(attack[at], DIGITS),
            round(defence[at], DIGITS),
            round(NORMAL * sqrt(variance[at]), DIGITS),
            deals[player],
            groups[player],
        )
        for player, at in place.items()
    }


def sort_plays(etui: RatedEtui) -> RatedEtui:
    """Return the étui with its plays in a fixed order."""
    return etui._replace(plays=tuple(sorted(play._replace(defenders=_sort(play.defenders)) for play in etui.plays)))


def _sort(defenders: tuple[int, int, int]) -> tuple[int, int, int]:
    first, second, third = sorted(defenders)
    return first, second, third


def check_plays(etuis: Iterable[RatedEtui]) -> None:
    """Raise `ValueError` for a table with a player twice, and for a note that is not from 0 to 100."""
    for etui in etuis:
        for play in etui.plays:
            if len({play.taker, *play.defenders}) != 4:
                raise ValueError(f"a player sits twice at a table: {play}")
            if not 0 <= play.note <= 100:
                raise ValueError(f"a note is not from 0 to 100: {play}")


def count_deals(etuis: Iterable[RatedEtui]) -> Counter[int]:
    """Return the number of plays of each player."""
    deals: Counter[int] = Counter()
    for etui in etuis:
        for play in etui.plays:
            deals.update((play.taker, *play.defenders))
    return deals


def weigh_day(days: int) -> float:
    """Return the weight of a play that is so many days old: 1 today, ½ after a year of 365 days.

    The power is computed by multiplications, because the digits of `**` depend on the machine.
    """
    weight, factor = 1.0, A_DAY
    while days:
        if days % 2:
            weight *= factor
        factor *= factor
        days //= 2
    return weight


def make_row(etui: RatedEtui, place: Mapping[int, int], weight: float) -> Row:
    """Return the étui with its weight, and with places in lists instead of ids. `place` has them by player."""
    plays = tuple((place[play.taker], *(place[each] for each in play.defenders)) for play in etui.plays)
    mean = fsum(play.note for play in etui.plays) / len(etui.plays)
    return Row(plays, tuple(play.note - mean for play in etui.plays), weight)  # type: ignore[arg-type]


def find_groups(etuis: Iterable[Iterable[Sequence[int]]]) -> dict[int, int]:
    """Return the group of each player: players whose plays were compared belong to one group.

    A group is named by its lowest id. Players are in one group too if a third player was compared with both. `etuis`
    has the plays of each étui, and a play has the ids of its players.
    """
    parent: dict[int, int] = {}

    def find(player: int) -> int:
        while parent[player] != player:
            parent[player] = parent[parent[player]]
            player = parent[player]
        return player

    for plays in etuis:
        seated = [player for play in plays for player in play]
        lowest = min(find(parent.setdefault(player, player)) for player in seated)
        for player in seated:
            parent[find(player)] = lowest
    return {player: find(player) for player in parent}
