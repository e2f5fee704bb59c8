"""The checks of an écart and a poignée, and the reason why a card is refused."""

from collections.abc import Sequence

from deals.domain.cards import CHIEN, Seat
from referee.bits import KEPT_FROM_ECART, TRUMPS, cards_of, has_card, mask_of
from referee.ecart import count_forced_trumps, find_discardable
from referee.errors import PlayRefused
from referee.poignees import find_concealed, find_showable, find_size
from referee.terms import DealTerms


def check_ecart(seat: Seat, hand: int, ecart: Sequence[int], players: int) -> None:
    """Raise PlayRefused if the taker may not discard these cards. `hand` is the taker's hand with the chien."""
    legal, expected = find_discardable(hand, players), CHIEN[players]
    for card in ecart:
        if not has_card(hand, card):
            raise PlayRefused("ecart_held", seat=seat, card=card)
        if has_card(KEPT_FROM_ECART, card):
            raise PlayRefused("ecart_kept", seat=seat, card=card, legal=cards_of(legal))
    if len(ecart) != expected or len(set(ecart)) != expected:
        raise PlayRefused("ecart_size", seat=seat, expected=expected, found=len(set(ecart)))
    trumps = sorted(card for card in ecart if has_card(TRUMPS, card))
    if len(trumps) > count_forced_trumps(hand, players):
        choices = legal & ~TRUMPS or legal
        raise PlayRefused("ecart_trump", seat=seat, card=trumps[0], legal=cards_of(choices))


def check_poignee(seat: Seat, terms: DealTerms, player: int, shown: Sequence[int]) -> None:
    """Raise PlayRefused if the player may not show these cards as a poignée."""
    hand = terms.hands[player]
    ecart = terms.ecart if player == terms.taker and terms.rules.ecart_in_poignee else None
    showable = find_showable(hand, ecart or 0)
    for card in shown:
        if not has_card(showable, card):
            raise PlayRefused("poignee_held", seat=seat, card=card, legal=cards_of(showable))
    sizes = terms.rules.scoring.poignee_trumps[terms.players].values()
    if len(set(shown)) != len(shown) or find_size(len(shown), terms.players, terms.rules.scoring) is None:
        raise PlayRefused("poignee_size", seat=seat, found=len(shown), expected=", ".join(map(str, sizes)))
    if concealed := find_concealed(mask_of(shown), hand):
        raise PlayRefused("poignee_excuse", seat=seat, card=cards_of(concealed)[-1])


def refuse_card(seat: Seat, card: int, hand: int, legal: int, led: int, trick: int) -> PlayRefused:
    """Return the refusal of a card that is not legal for the player whose turn it is."""
    choices = cards_of(legal)
    if not has_card(hand, card):
        return PlayRefused("held", seat=seat, card=card, trick=trick, legal=choices)
    if not led:
        return PlayRefused("called_suit", seat=seat, card=card, trick=trick, legal=choices)
    if led != TRUMPS and hand & led:
        return PlayRefused("follow", seat=seat, card=card, trick=trick, legal=choices)
    if has_card(TRUMPS, card):
        return PlayRefused("overtrump", seat=seat, card=card, trick=trick, legal=choices)
    return PlayRefused("trump", seat=seat, card=card, trick=trick, legal=choices)
