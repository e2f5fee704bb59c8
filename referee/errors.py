"""The refusals of the referee, and the errors of a game that cannot be read.

A refusal has a code, the seat, the card, the trick, the legal cards, and the source of the rule.

A page or the API shows the translated text of the error's `code`. `str(error)` is the English text.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from deals.domain.cards import Seat, order_for_display, show_card
from wording import CodedError, CodedText, Texts
from wording import gettext_noop as _

PLAY, BIDS, POIGNEES, FIVE = (
    "FFT 2012, the play",
    "FFT 2012, the auction and the écart",
    "FFT 2012, the poignées and the chelem",
    "FFT 2012 p. 12",
)
NO_CARD = "–"


def show_cards(cards: Iterable[int]) -> str:
    """Return cards as a page shows them, suit by suit, separated by spaces."""
    return " ".join(map(show_card, order_for_display(cards)))


class PlayRefused(CodedText, ValueError):
    """A bid, an écart, an announcement or a card that the rules forbid.

    `seat`: the seat of the player who broke the rule. `card`: the card at fault, or None. `trick`: the number of the
    trick, counted from 1, or None before the first card. `legal`: the cards that were legal. `source`: where the rule
    is written.
    """

    messages: ClassVar[Texts] = {
        "phase": _("%(seat)s: this is not the moment for it. Now comes: %(phase)s."),
        "bid_turn": _("%(seat)s may not bid now: it is the turn of %(other)s. Each player speaks once."),
        "bid_low": _("%(seat)s must bid more than %(highest)s, or pass."),
        "call_rank": _(
            "%(seat)s cannot call %(card)s. A taker calls a Roi; with all four Rois a Dame, and so on down."
        ),
        "ecart_size": _("%(seat)s must discard %(expected)s cards, not %(found)s."),
        "ecart_held": _("%(seat)s cannot discard %(card)s: it is not among the taker’s cards."),
        "ecart_kept": _("%(seat)s cannot discard %(card)s: no Roi and no bout may be in the écart. Legal: %(legal)s."),
        "ecart_trump": _(
            "%(seat)s cannot discard %(card)s: a trump may be in the écart only if nothing else is left. "
            "Legal: %(legal)s."
        ),
        "chelem_seat": _("%(seat)s cannot announce a chelem: only the taker can."),
        "chelem_late": _("%(seat)s cannot announce a chelem now: it is announced once, before the first card."),
        "poignee_late": _("%(seat)s cannot show a poignée now: it is shown once, before the player’s first card."),
        "poignee_size": _("%(seat)s cannot show %(found)s trumps: a poignée has exactly %(expected)s trumps."),
        "poignee_held": _("%(seat)s cannot show %(card)s: it is not a trump of this hand. Legal: %(legal)s."),
        "poignee_excuse": _(
            "%(seat)s cannot show the Excuse and leave out %(card)s: the Excuse in a poignée says that the hand has no "
            "other trump."
        ),
        "turn": _("Trick %(trick)s: %(seat)s cannot play %(card)s, because it is the turn of %(other)s."),
        "held": _("Trick %(trick)s: %(seat)s does not hold %(card)s. Legal: %(legal)s."),
        "called_suit": _(
            "Trick %(trick)s: %(seat)s cannot lead %(card)s. The opening lead may not be in the suit of the called "
            "card, except the called card itself. Legal: %(legal)s."
        ),
        "follow": _(
            "Trick %(trick)s: %(seat)s cannot play %(card)s, because the hand has cards of the suit led. "
            "Legal: %(legal)s."
        ),
        "trump": _(
            "Trick %(trick)s: %(seat)s cannot play %(card)s. A player without the suit led must trump. "
            "Legal: %(legal)s."
        ),
        "overtrump": _(
            "Trick %(trick)s: %(seat)s cannot play %(card)s, because the hand has a trump higher than every trump of "
            "the trick. Legal: %(legal)s."
        ),
        "denied": _(
            "Trick %(trick)s: %(seat)s plays %(card)s, but should have played it before. In an earlier trick the "
            "player did not follow, trump or overtrump."
        ),
        "claim": _("Trick %(trick)s: the rest cannot be claimed, because %(seat)s has %(card)s and wins a trick."),
    }
    sources: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("phase", "turn", "held", "follow", "trump", "overtrump", "denied", "claim"), PLAY),
        **dict.fromkeys(("bid_turn", "bid_low", "ecart_size", "ecart_held", "ecart_kept", "ecart_trump"), BIDS),
        **dict.fromkeys(("chelem_seat", "chelem_late", "poignee_late", "poignee_size"), POIGNEES),
        **dict.fromkeys(("poignee_held", "poignee_excuse"), POIGNEES),
        **dict.fromkeys(("call_rank", "called_suit"), FIVE),
    }

    def __init__(
        self,
        code: str,
        *,
        seat: Seat,
        card: int | None = None,
        trick: int | None = None,
        legal: Iterable[int] = (),
        **params: object,
    ) -> None:
        self.code, self.seat, self.card, self.trick, self.legal = code, seat, card, trick, tuple(legal)
        self.params = params | {"seat": str(seat), "legal": show_cards(self.legal) or NO_CARD}
        if card is not None:
            self.params |= {"card": show_card(card)}
        if trick is not None:
            self.params |= {"trick": trick}
        super().__init__(code, self.params)

    @property
    def source(self) -> str:
        """The part of the regulation that has the rule."""
        return self.sources[self.code]


class GameError(CodedError):
    """A game that cannot be read, or that contradicts itself. `params` has the place of the fault."""

    messages: ClassVar[Texts] = {
        "too_long": _("The line has more than %(most)s bytes."),
        "json": _("The line is not valid JSON."),
        "shape": _("The game is not a JSON object with the keys %(keys)s."),
        "missing": _("The key %(key)s is missing."),
        "type": _("The key %(key)s has a value of the wrong type."),
        "players": _("A game is for 3, 4 or 5 players, not %(found)s."),
        "player": _("%(key)s: %(found)s is not a player’s number. The numbers run from 0 to %(most)s."),
        "contract": _("%(found)s is not a contract. The contracts are: %(contracts)s."),
        "card": _("%(key)s: %(found)s is not a card, such as 07-D, 21-T or 00-T."),
        "petit_sec": _("The deal is void: the Petit is the only trump of a hand, without the Excuse."),
        "discard": _("A %(contract)s has no écart: the key discard must be null."),
        "tricks": _("The game has %(found)s tricks instead of %(expected)s."),
        "plays": _("Trick %(trick)s has %(found)s cards instead of %(expected)s."),
        "leader": _("Trick %(trick)s is led by %(other)s, not by %(seat)s."),
    }
