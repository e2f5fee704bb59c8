"""The deals that tests record on a table's screen: their cards in order, and the result that follows."""

import random

from playwright.sync_api import Page, expect

from deals.domain.cards import Seat, show_card
from referee.state import start_imposed
from scoring.values import Chelem, Contract, DealResult, Side
from tests.referee.games import choose_ecart, deal_at_random, play_at_random
from tournaments.models import Play, PlayRecord

TAP_ALL = """cards => {
    for (const card of cards) document.querySelector(`[data-key="card-${card}"]`).click();
}"""


def play_garde(play: Play, seed: int = 1) -> tuple[list[str], DealResult]:
    """Return the cards of a legal game of this étui's dealer and taker, and its result, which has no bonus."""
    rng = random.Random(seed)
    while True:
        state = start_imposed(deal_at_random(rng, 4), Seat(play.etui.dealer), Seat(play.etui.taker), Contract.GARDE)
        state = play_at_random(rng, state.discard(Seat(play.etui.taker), choose_ecart(rng, state.hands[state.turn], 4)))
        result = state.result
        assert result is not None
        if (result.petit_au_bout, result.chelem, result.half_points % 2) == (Side.NONE, Chelem.NONE, 0):
            return [show_card(card) for trick in state.tricks for card in trick.cards], result


def tap_all(page: Page, cards: list[str]) -> None:
    """Tap these cards, one after the other."""
    page.locator(".taps-deck").wait_for()
    page.evaluate(TAP_ALL, cards)


def await_receipts(page: Page) -> None:
    """Wait until the site has answered everything that the phone has sent, so that a test may end."""
    expect(page.locator("#status")).to_have_class("state state-done")


def recorded(play: Play) -> list[str]:
    """Return the cards of the current record of a play, without spaces between tricks. Without one return []."""
    row = PlayRecord.objects.filter(play=play, current=True).first()
    lines = row.text.splitlines() if row else []
    return [card for line in lines if line.startswith("trick ") for card in line.split(" ")[1:]]
