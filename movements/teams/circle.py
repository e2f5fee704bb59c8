"""The round robins: in each round every team meets another one, and after all rounds each pair has met once.

The circle method seats all teams except the last one on a circle of m places, m odd. In round i, the teams at the
places i + k and i − k meet, for each k. The last team meets the team at place i. If the number of teams is odd, the
team at i rests instead.
"""

from collections.abc import Sequence

from deals.domain.dealing import below, numbers

Pair = tuple[int, int]

_EFFORT = 700_000  # the most pairs of teams that one search for even sides looks at


def pair_all(teams: int) -> list[list[Pair]]:
    """Return the pairs of each round, teams counted from 1. Each two teams meet in one round.

    An even number of teams has one round less than teams. An odd number has as many, and each team rests in one.
    """
    places = teams if teams % 2 else teams - 1
    rounds = []
    for turn in range(places):
        last = [] if teams % 2 else [(teams, turn + 1)]
        rounds.append(
            last
            + [((turn + step) % places + 1, (turn - step) % places + 1) for step in range(1, (places - 1) // 2 + 1)]
        )
    return rounds


def with_even_sides(rounds: Sequence[Sequence[Pair]], teams: int) -> list[list[Pair]]:
    """Return the same pairs, some of them exchanged, so that any two teams sit the same way about equally often.

    The first team of a pair sits North-South. Count for each two teams how often they sit the same way. The search
    lowers the sum of the squares of these counts by single exchanges. If no exchange helps, the search makes three
    random exchanges and continues. The number of steps is fixed and the random numbers come from a seed, so the same
    pairs give the same result.
    """
    search = _Sides(rounds, teams)
    return search.run()


class _Sides:
    """The search for even sides. `alike[a][b]`: in how many rounds teams a and b sit the same way."""

    def __init__(self, rounds: Sequence[Sequence[Pair]], teams: int) -> None:
        self.draw = numbers(teams, "sides")
        self.teams = teams
        self.rounds = [[pair if below(self.draw, 2) else pair[::-1] for pair in pairs] for pairs in rounds]
        self.sides = [[0] * (teams + 1) for _ in rounds]  # 1 North-South, −1 East-West, 0 at rest
        for row, pairs in zip(self.sides, self.rounds, strict=True):
            for first, second in pairs:
                row[first], row[second] = 1, -1
        self.alike = [
            [
                0 if one == other else sum(row[one] == row[other] != 0 for row in self.sides)
                for other in range(teams + 1)
            ]
            for one in range(teams + 1)
        ]
        self.spots = [(turn, place) for turn, pairs in enumerate(self.rounds) for place in range(len(pairs))]

    def run(self) -> list[list[Pair]]:
        best, least = self.rounds, -1
        for _ in range(max(12, min(200, _EFFORT // (len(self.spots) * self.teams + 1)))):
            helped = False
            for turn, place in self.spots:
                if self.gain(turn, place) < 0:
                    self.exchange(turn, place)
                    helped = True
            squares = sum(count * count for row in self.alike for count in row)
            if least < 0 or squares < least:
                best, least = [pairs[:] for pairs in self.rounds], squares
            if not helped:
                for _ in range(3):
                    self.exchange(*self.spots[below(self.draw, len(self.spots))])
        return best

    def gain(self, turn: int, place: int) -> int:
        """Return the growth of the sum of squares if this pair exchanges its sides. Each two teams count once."""
        first, second = self.rounds[turn][place]
        ours, theirs, row = self.alike[first], self.alike[second], self.sides[turn]
        others = sum(side * (theirs[team] - ours[team]) for team, side in enumerate(row) if side)
        others -= row[first] * theirs[first] - row[second] * ours[second]
        seated = 2 * len(self.rounds[turn]) - 2
        return 2 * row[first] * others + 2 * seated

    def exchange(self, turn: int, place: int) -> None:
        first, second = self.rounds[turn][place]
        row = self.sides[turn]
        for team, side in enumerate(row):
            if side and team not in (first, second):
                change = -row[first] * side
                for one, by in ((first, change), (second, -change)):
                    self.alike[one][team] += by
                    self.alike[team][one] += by
        row[first], row[second] = row[second], row[first]
        self.rounds[turn][place] = (second, first)
