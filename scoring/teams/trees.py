"""The tree of a knock-out: who meets whom in each round, and who goes on.

The first team of a list is the first seed. In the first round the seeds of a match add up to one more than the number
of places. So the first two seeds can only meet in the last match. If the number of teams is no power of 2, the first
seeds go on without a match. The FFT has no rule for this; it is the usual way.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.teams.leagues import TeamMatch


class TreeNode(NamedTuple):
    """A match of the tree. A team is None as long as it is not known, or if there is none.

    `bye`: the only team goes on without a match. `match`: the played match, or None. `decided`: a director decided who
    goes on, because the match was drawn or not played.
    """

    home: Any = None
    away: Any = None
    winner: Any = None
    match: TeamMatch | None = None
    bye: bool = False
    decided: bool = False

    @property
    def is_open(self) -> bool:
        """True if both teams are known, and it is not known which goes on."""
        return self.home is not None and self.away is not None and self.winner is None


def seed_places(places: int) -> list[int]:
    """Return the seeds in the order of the tree, for a power of 2: 1, 4, 2, 3 for four places."""
    order = [1]
    while len(order) < places:
        double = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, double - one)]
    return order


def build_tree(
    teams: Sequence[Hashable],
    matches: Sequence[TeamMatch],
    decisions: Mapping[tuple[Any, Any], Hashable],
) -> tuple[tuple[TreeNode, ...], ...]:
    """Return the rounds of a knock-out, each with its matches from top to bottom.

    Without two teams there are no rounds.

    - `teams`: the first seed first.
    - `matches`: the finished matches, the oldest first. If two teams met twice, the last match counts.
    - `decisions`: the team that goes on, by both teams in either order, if the director decided it. A decision counts
      only without a winner of the match.
    """
    if len(teams) < 2:
        return ()
    places = 2
    while places < len(teams):
        places *= 2
    known = {frozenset((match.home, match.away)): match for match in matches}
    line: list[Any] = [teams[seed - 1] if seed <= len(teams) else None for seed in seed_places(places)]
    rounds = []
    while len(line) > 1:
        first = len(line) == places
        pairs = zip(line[::2], line[1::2], strict=True)
        nodes = tuple(_play(home, away, known, decisions, bye=first) for home, away in pairs)
        rounds.append(nodes)
        line = [node.winner for node in nodes]
    return tuple(rounds)


def _play(
    home: Any,
    away: Any,
    known: Mapping[frozenset[Any], TeamMatch],
    decisions: Mapping[tuple[Any, Any], Hashable],
    *,
    bye: bool,
) -> TreeNode:
    """Return the match of two teams with its winner. `bye`: a team without an opponent goes on."""
    if home is None or away is None:
        alone = home if away is None else away
        return TreeNode(home, away, alone if bye else None, bye=bye)
    match = known.get(frozenset((home, away)))
    winner = match.winner if match else None
    if winner is not None:
        return TreeNode(home, away, winner, match)
    word = decisions.get((home, away), decisions.get((away, home)))
    return TreeNode(home, away, word, match, decided=word is not None)
