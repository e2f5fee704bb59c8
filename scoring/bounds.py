"""The limits that the cards set on the result of a deal. A result outside them is refused with ScoringError.

Results that are unlikely but possible are not refused. No score is computed here. All points are counted in half
points. A bout (the 21, the Petit or the Excuse) or a Roi has 9. A Dame has 7, a Cavalier 5, a Valet 3, any other card
1. All 78 cards have 182. docs/scoring.md derives the limits.
"""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from scoring.errors import ScoringError
from scoring.values import FFT, Chelem, Contract, DealResult, Poignee, ScoringRules, Side

DECK = 182
BOUTS = 3
TRUMPS = 22  # the 21 trumps and the Excuse, which a poignée may contain
CHIEN = {3: 6, 4: 6, 5: 3}  # number of players → number of cards in the chien
BOUT, PLAIN = 9, 1
ROI_DOWN = (9,) * 4 + (7,) * 4
DAME_DOWN = (7,) * 4 + (5,) * 4  # an écart contains no Roi and no bout
KEPT_EXCUSE = 8  # 9 − 1: the side that keeps the Excuse gives a card of one half point for it

MADE = frozenset({Chelem.ANNOUNCED_MADE, Chelem.UNANNOUNCED_MADE})
SUFFERED = frozenset({Chelem.SUFFERED, Chelem.ANNOUNCED_SUFFERED})


def to_points(half_points: int) -> Decimal:
    """Return the points as people write them: 81 half points are 40.5."""
    return Decimal(half_points) / 2


def count_owned(side: Side, contract: Contract, players: int) -> int:
    """Return the number of cards that count for a side although it did not win them in a trick.

    These cards are the écart or the chien. They count for the attack, except in a garde contre: then they count for the
    defence.
    """
    owner = Side.DEFENCE if contract == Contract.GARDE_CONTRE else Side.ATTACK
    return CHIEN[players] if side == owner else 0


def with_own_cards(side: Side, contract: Contract, players: int, bouts: int) -> int:
    """Return the half points that a side has at least: from its bouts, and from the cards that `count_owned` counts.

    A bout adds 8 here: the difference between a bout and a card of one half point.
    """
    return count_owned(side, contract, players) * PLAIN + bouts * (BOUT - PLAIN)


@cache
def without_trick(side: Side, contract: Contract, players: int, bouts: int) -> frozenset[int]:
    """Return every total in half points that a side without a trick can have with this number of bouts.

    The set is empty if a side without a trick cannot have this number of bouts.
    """
    cards = count_owned(side, contract, players)
    hidden = contract in (Contract.GARDE_SANS, Contract.GARDE_CONTRE)  # the chien may hold any card, the écart may not
    return frozenset(
        total + excuse * KEPT_EXCUSE
        for excuse in (0, 1)
        if 0 <= bouts - excuse <= (min(cards, BOUTS) if hidden else 0)
        for total in _totals(cards, bouts - excuse, ROI_DOWN if hidden else DAME_DOWN)
    )


def _totals(cards: int, bouts: int, best: tuple[int, ...]) -> range:
    """Return every total in half points that `cards` cards can have, if `bouts` of them are bouts.

    `best`: the values of the best cards that are not bouts, highest first. Each total is 2 more than the one before,
    because each rank is worth 2 more than the rank below it.
    """
    plain = cards - bouts
    return range(bouts * BOUT + plain * PLAIN, bouts * BOUT + sum(best[:plain]) + 1, 2)


def most_leaving_a_trick(result: DealResult) -> int:
    """Return the most half points the attack can have if the defence won at least one trick."""
    bouts = BOUTS - result.bouts
    return DECK - result.players * PLAIN - with_own_cards(Side.DEFENCE, result.contract, result.players, bouts)


def least_with_a_trick(result: DealResult) -> int:
    """Return the fewest half points the attack can have if it won at least one trick."""
    return result.players * PLAIN + with_own_cards(Side.ATTACK, result.contract, result.players, result.bouts)


def least_tricks_of_poignees(poignees: Iterable[Poignee], players: int, rules: ScoringRules = FFT) -> int:
    """Return the fewest tricks that a side must win after the longest poignée that one of its players showed.

    The side plays all cards shown as trumps, except one, which may be the Excuse or may lie in the écart. Each of these
    trumps wins its trick, except if another player plays a higher trump. The other players have only the trumps that
    were not shown.
    """
    played = max((rules.poignee_trumps[players][poignee] - 1 for poignee in poignees), default=0)
    return max(0, played - (TRUMPS - 1 - played))


def least_with_poignees(result: DealResult) -> int:
    """Return the fewest half points the attack can have, given the poignées that it showed."""
    tricks = least_tricks_of_poignees(result.poignees_attack, result.players)
    own = with_own_cards(Side.ATTACK, result.contract, result.players, result.bouts)
    return tricks * result.players * PLAIN + own


def most_against_poignees(result: DealResult) -> int:
    """Return the most half points the attack can have, given the poignées that the defence showed."""
    tricks = least_tricks_of_poignees(result.poignees_defence, result.players)
    own = with_own_cards(Side.DEFENCE, result.contract, result.players, BOUTS - result.bouts)
    return DECK - tricks * result.players * PLAIN - own


def check_figures(result: DealResult, rules: ScoringRules = FFT) -> None:
    """Raise ScoringError if the figures of a result contradict each other. Such a result cannot be scored.

    This check is arithmetic alone. `check_cards` checks whether the cards can be played to that result.
    """
    _check_shape(result, rules)
    _check_poignees(result, rules)
    _check_points(result)
    _check_chelem(result)


def check_cards(result: DealResult) -> None:
    """Raise ScoringError if the cards cannot be played to this result. Call it after `check_figures`.

    A table may not enter such a result. Published examples, and results stored before this check existed, are scored
    without it. In a result without a chelem, each side has at least one trick. docs/scoring.md proves the limits, and
    shows that each of them can be reached.
    """
    if (result.petit_au_bout, result.bouts) in ((Side.ATTACK, 0), (Side.DEFENCE, BOUTS)):
        raise ScoringError("petit_without_bout", "petit_au_bout", _describe(result) | {"side": result.petit_au_bout})
    least, most = least_with_a_trick(result), most_leaving_a_trick(result)
    if result.chelem == Chelem.NONE and not least <= result.half_points <= most:
        params = _describe(result) | {"least": to_points(least), "most": to_points(most)}
        raise ScoringError("trick_for_each", "chelem", params)


def check_players(players: int, partner: bool | None) -> None:
    """Raise ScoringError unless there are 3, 4 or 5 players, and `partner` is None exactly for 3 and 4."""
    if players not in CHIEN:
        raise ScoringError("players", "players", {"value": players})
    if (partner is None) == (players == 5):
        raise ScoringError("partner", "partner", {"players": players})


def _check_shape(result: DealResult, rules: ScoringRules) -> None:
    check_players(result.players, result.partner)
    _check_value("contract", result.contract, rules.coefficients)
    _check_value("chelem", result.chelem, rules.chelems)
    _check_value("petit_au_bout", result.petit_au_bout, Side)
    for poignee in result.poignees_attack:
        _check_value("poignees_attack", poignee, rules.poignees)
    for poignee in result.poignees_defence:
        _check_value("poignees_defence", poignee, rules.poignees)
    if not 0 <= result.bouts <= BOUTS:
        raise ScoringError("bouts", "bouts", {"value": result.bouts})
    if not 0 <= result.half_points <= DECK:
        raise ScoringError("points_range", "points", {"value": to_points(result.half_points)})
    if result.players == 4 and result.half_points % 2:
        raise ScoringError("points_half", "points", {"value": to_points(result.half_points)})


def _check_value(field: str, value: str, choices: Iterable[str]) -> None:
    if value not in (allowed := list(choices)):
        raise ScoringError("unknown_value", field, {"value": value, "choices": ", ".join(allowed)})


def _check_poignees(result: DealResult, rules: ScoringRules) -> None:
    if len(result.poignees_attack) > 1 and not result.partner:
        raise ScoringError("poignees_one_hand", "poignees_attack", {"value": len(result.poignees_attack)})
    trumps = rules.poignee_trumps[result.players]
    needed = sum(trumps[poignee] for poignee in result.poignees_attack + result.poignees_defence)
    if needed > TRUMPS:
        field = "poignees_defence" if result.poignees_defence else "poignees_attack"
        raise ScoringError("poignees_trumps", field, {"needed": needed, "trumps": TRUMPS})


def _check_points(result: DealResult) -> None:
    """Check that each side has at least the points of its bouts.

    One of the bouts may be the Excuse, which a side keeps without winning a trick.
    """
    least = _bouts_alone(result.bouts)
    theirs = BOUTS - result.bouts
    # in a garde contre, these are the cards of the chien
    own = with_own_cards(Side.DEFENCE, result.contract, result.players, theirs)
    most = DECK - max(_bouts_alone(theirs), own)
    if result.half_points > most:
        raise ScoringError("points_too_high", "points", _describe(result, limit=most - _odd(result, most)))
    if result.half_points < least:
        raise ScoringError("points_too_low", "points", _describe(result, limit=least + _odd(result, least)))


def _bouts_alone(bouts: int) -> int:
    return bouts * BOUT - (BOUT - KEPT_EXCUSE) if bouts else 0


def _odd(result: DealResult, half_points: int) -> int:
    """Return 1 if the limit is an odd number of half points and four play, otherwise 0.

    With four players the points are always whole numbers. So the next possible points are one half point from an odd
    limit.
    """
    return half_points % 2 if result.players == 4 else 0


def _check_chelem(result: DealResult) -> None:
    if result.chelem in MADE:
        _check_made(result)
        _check_petit(result, Side.DEFENCE)
    elif result.chelem == Chelem.ANNOUNCED_FAILED and result.half_points > most_leaving_a_trick(result):
        limit = most_leaving_a_trick(result)
        raise ScoringError("chelem_failed_points", "points", _describe(result, limit=limit))
    elif result.chelem in SUFFERED:
        _check_suffered(result)
        _check_petit(result, Side.ATTACK)


def _check_made(result: DealResult) -> None:
    """Check the points of a chelem made: the defence has no trick, so only a few totals are possible."""
    possible = {
        bouts: {DECK - total for total in without_trick(Side.DEFENCE, result.contract, result.players, BOUTS - bouts)}
        for bouts in range(BOUTS + 1)
    }
    if result.half_points not in possible[result.bouts]:
        raise ScoringError("chelem_made_points", "points", _describe(result, possible=_ranges(possible)))


def _check_suffered(result: DealResult) -> None:
    """Check that the points of a chelem suffered are not too high: the attack has no trick.

    Points that are too low are not refused. Tables forget to count the écart, so the site asks them about it instead.
    """
    possible = {
        bouts: set(without_trick(Side.ATTACK, result.contract, result.players, bouts)) for bouts in range(BOUTS + 1)
    }
    if result.half_points > max(possible[result.bouts], default=-1):
        raise ScoringError("chelem_suffered_points", "points", _describe(result, possible=_ranges(possible)))


def _check_petit(result: DealResult, loser: Side) -> None:
    if result.petit_au_bout == loser:
        raise ScoringError("petit_au_bout_chelem", "petit_au_bout", {"side": loser, "chelem": result.chelem})


def _describe(result: DealResult, limit: int | None = None, possible: str | None = None) -> dict[str, object]:
    params: dict[str, object] = {
        "value": to_points(result.half_points),
        "bouts": result.bouts,
        "contract": result.contract,
        "players": result.players,
    }
    if limit is not None:
        params["limit"] = to_points(limit)
    return params if possible is None else params | {"possible": possible}


def _ranges(possible: dict[int, set[int]]) -> str:
    """Return the possible points for each number of bouts as text: "87 (bouts: 2), 91 (bouts: 3)"."""
    ranges = []
    for bouts, totals in possible.items():
        if totals:
            low, high = to_points(min(totals)), to_points(max(totals))
            ranges.append(f"{low}{'' if low == high else f'–{high}'} (bouts: {bouts})")
    return ", ".join(ranges)
