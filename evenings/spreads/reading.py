"""The results that bots have at an étui, as figures. The caller makes sure that the reader may see the cards."""

from collections.abc import Iterable
from dataclasses import dataclass

from evenings.spreads.playing import digest_of_deal
from tournaments.models import BotSpread


@dataclass(frozen=True, slots=True)
class SpreadFigures:
    """The plays of an étui by bots. `took` (a seat) and `contract` are the same in all plays: "" if everybody passed.

    `made`: in how many plays the contract was made. `scores`: the base scores, the lowest first.
    """

    level: int
    count: int
    wanted: int
    took: str
    contract: str
    made: int
    scores: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        return self.count == self.wanted

    @property
    def low(self) -> int:
        return self.scores[0]

    @property
    def high(self) -> int:
        return self.scores[-1]

    @property
    def middle(self) -> int:
        """The median: of an even number of scores the lower one of the middle pair."""
        return self.scores[(len(self.scores) - 1) // 2]


def find_spread_figures(cards: str, dealer: str, taker: str) -> SpreadFigures | None:
    """Return the figures of these cards, or None if the bots have not made all plays. One query.

    `taker` is the seat that plays an imposed garde, "" for an auction.
    """
    if not cards:
        return None
    rows = BotSpread.objects.filter(digest=digest_of_deal(cards, dealer, taker), made_at__isnull=False)
    row = rows.order_by("pk").first()
    return None if row is None else read_spread(row)


def list_spread_figures(etuis: Iterable[int]) -> dict[int, SpreadFigures]:
    """Return the figures so far of these étuis, by their ids. One query."""
    rows = BotSpread.objects.filter(etui__in=list(etuis)).order_by("-asked_at", "pk")
    return {row.etui_id: read_spread(row) for row in rows}


def read_spread(row: BotSpread) -> SpreadFigures:
    """Return the figures of a row."""
    return SpreadFigures(
        level=row.level,
        count=row.count,
        wanted=row.wanted,
        took=row.took,
        contract=row.contract,
        made=sum(made for _score, made in row.plays),
        scores=tuple(sorted(score for score, _made in row.plays)),
    )
