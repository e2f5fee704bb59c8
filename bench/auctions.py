"""The simulation of evenings with a free auction, for `bench.rating` and the tests of the rating.

A hand has a value. Each player judges the own hand with an error, which is smaller for a strong player, and whoever
judges it highest takes. Mark and notes follow from the hands, from the strengths at the table, and from chance.
"""

import random
from collections.abc import Iterator, Sequence
from statistics import fmean

from scoring.notes import topage
from scoring.rating.auction import AuctionEtui, AuctionPlay

PLAYERS, PRESENT, PRESENT_APART, ETUIS, AT_A_TABLE = 60, 48, 24, 24, 4
HAND, ERROR, CHANCE = 3.0, 1.5, 6.0  # the spreads of a hand, of its judgement, and of chance in a mark
LEARNED = 0.75  # the error of a player is smaller by this factor for each point of strength
SKILL = 0.8  # the points that a taker wins for each point of strength above the defenders
TOGETHER = 10  # for two circles of players that seldom meet: every tenth session is for all


class SimulatedAuctions:
    """A field of sixty players of known strength, who play with a free auction."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.strength = [self.chance.gauss(0, 1) for _player in range(PLAYERS)]

    def play(self, sessions: int, *, apart: bool = False) -> Iterator[AuctionEtui]:
        """Yield the étuis of the sessions. With `apart`, the stronger and the weaker half seldom meet."""
        ranked = sorted(range(PLAYERS), key=lambda player: self.strength[player])
        for session in range(sessions):
            group = ranked
            if apart and session % TOGETHER:
                group = ranked[: PLAYERS // 2] if session % 2 else ranked[PLAYERS // 2 :]
            there = self.chance.sample(group, PRESENT_APART if apart else PRESENT)
            for etui in range(ETUIS):
                if not etui % AT_A_TABLE:
                    self.chance.shuffle(there)
                yield self.play_etui(session, [there[at : at + 4] for at in range(0, len(there), 4)])

    def play_etui(self, day: int, tables: Sequence[Sequence[int]]) -> AuctionEtui:
        """Return an étui that is played at these tables."""
        hands = [self.chance.gauss(0, HAND) for _seat in range(4)]
        marks = [self.play_deal(hands, four) for four in tables]
        seats = [topage([2 * mark[seat] for mark in marks]) for seat in range(4)]
        notes = [[float(seat[table]) for seat in seats] for table in range(len(tables))]
        pairs = zip(tables, notes, strict=True)
        return AuctionEtui(day, tuple(AuctionPlay(tuple(four), tuple(told)) for four, told in pairs))  # type: ignore[arg-type]

    def play_deal(self, hands: Sequence[float], four: Sequence[int]) -> list[int]:
        """Return the marks of the four seats: the taker wins or loses three times as much as each defender."""
        judged = [
            hand + self.chance.gauss(0, ERROR * LEARNED ** self.strength[player])
            for hand, player in zip(hands, four, strict=True)
        ]
        taker = judged.index(max(judged))
        against = fmean(self.strength[player] for seat, player in enumerate(four) if seat != taker)
        lead = SKILL * (self.strength[four[taker]] - against)
        mark = round(4 * hands[taker] - sum(hands) + 2 + lead + self.chance.gauss(0, CHANCE))
        return [3 * mark if seat == taker else -mark for seat in range(4)]
