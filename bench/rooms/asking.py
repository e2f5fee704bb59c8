"""The parts that all players of the bench of rooms share: the times of the answers, and the choice of a move."""

from collections.abc import Awaitable
from time import monotonic
from typing import Any


class Timings:
    """The seconds of each answer, by what was asked, and the errors. `seen`: from a card to its sight by another."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {"join": [], "card": [], "thinking": [], "four": [], "seen": []}
        self.errors: list[str] = []

    async def time(self, kind: str, question: Awaitable[Any]) -> Any:
        began = monotonic()
        answer = await question
        self.seconds[kind].append(monotonic() - began)
        if answer.failed:
            self.errors.append(f"{kind}: {answer.status} {answer.body[:200]!r}")
        return answer


def choose(game: dict[str, Any]) -> str:
    """Return a legal move for what the table asks: the lowest bid that is no pass if the hand is strong, or a card."""
    if game["asks_chelem"]:
        return "n"
    asked = game["table"]["asks"]
    if asked["kind"] == "bid":
        trumps = sum(card >= 56 for card in game["table"]["hand"])
        return str(asked["bids"][1 if trumps >= 6 and len(asked["bids"]) > 1 else 0]["move"])
    if asked["kind"] == "ecart":
        plain = [card for card in asked["cards"] if card < 56]
        trumps = [card for card in asked["cards"] if card >= 56][: asked["trumps"]]
        return "e:" + ",".join(map(str, sorted((plain + trumps)[-asked["count"] :] if not trumps else plain + trumps)))
    return f"k:{asked['cards'][-1]}"
