"""The legal cards of a player, as sets (`bits`). Source: FFT 2012, the play; p. 12 for the opening lead at five."""

from referee.bits import EXCUSE_BIT, FOLLOWING, TRUMPS


def find_legal(hand: int, led: int, beating: int) -> int:
    """Return the cards that a hand may play.

    `led`: the cards of the suit led, 0 if no suit is led yet. `beating`: the cards that beat the trick so far. A player
    must follow suit, but need not beat the trick in a plain suit. A player without the suit must trump, with a trump
    above those played if possible. The Excuse is always legal.
    """
    if not led:
        return hand
    excuse = hand & EXCUSE_BIT
    if led != TRUMPS and (following := hand & led):
        return following | excuse
    if trumps := hand & TRUMPS:
        return (trumps & beating or trumps) | excuse
    return hand


def find_opening_leads(hand: int, called: int | None) -> int:
    """Return the cards that may open the first trick. `called` is the card that the taker called, None at 3 and 4.

    At five, the cards of the called card's suit are illegal, except the called card itself.
    """
    if called is None:
        return hand
    return hand & ~FOLLOWING[called] | hand & 1 << called
