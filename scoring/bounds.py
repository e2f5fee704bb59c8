"""Knows which results the cards allow: refuses what arithmetic forbids, and only that. Gives no score.

Everything is in half points: a bout or a Roi 9, a Dame 7, a Cavalier 5, a Valet 3, any other card 1; the deck 182.
docs/scoring.md derives the bounds.
"""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from scoring.errors import ScoringError
from scoring.values import FFT, Chelem, Contract, DealResult, Poignee, ScoringRules, Side

DECK = 182
BOUTS = 3
TRUMPS = 22  # the Excuse is shown in a poignée as a trump is
CHIEN = {3: 6, 4: 6, 5: 3}  # cards
BOUT, PLAIN = 9, 1
ROI_DOWN = (9,) * 4 + (7,) * 4
DAME_DOWN = (7,) * 4 + (5,) * 4  # an écart holds no Roi and no bout
KEPT_EXCUSE = 8  # stays with its side, which hands a half-point card over or owes it

MADE = frozenset({Chelem.ANNOUNCED_MADE, Chelem.UNANNOUNCED_MADE})
SUFFERED = frozenset({Chelem.SUFFERED, Chelem.ANNOUNCED_SUFFERED})


def points(half_points: int) -> Decimal:
    """Points as people write them: 81 half points are 40.5."""
    return Decimal(half_points) / 2


def count_owned(side: Side, contract: Contract, players: int) -> int:
    """Cards a side holds beside its tricks: the écart or the chien is the attack's, in a garde contre the defence's."""
    owner = Side.DEFENCE if contract == Contract.GARDE_CONTRE else Side.ATTACK
    return CHIEN[players] if side == owner else 0


def with_own_cards(side: Side, contract: Contract, players: int, bouts: int) -> int:
    """The least a side with these bouts has in half points, counting the cards it holds beside its tricks."""
    return count_owned(side, contract, players) * PLAIN + bouts * (BOUT - PLAIN)


@cache
def without_trick(side: Side, contract: Contract, players: int, bouts: int) -> frozenset[int]:
    """Every half-point total a side that wins no trick can have with these bouts; empty if it cannot have them."""
    cards = count_owned(side, contract, players)
    hidden = contract in (Contract.GARDE_SANS, Contract.GARDE_CONTRE)  # the chien, not an écart: any card, any bout
    return frozenset(
        total + excuse * KEPT_EXCUSE
        for excuse in (0, 1)
        if 0 <= bouts - excuse <= (min(cards, BOUTS) if hidden else 0)
        for total in _totals(cards, bouts - excuse, ROI_DOWN if hidden else DAME_DOWN)
    )


def _totals(cards: int, bouts: int, best: tuple[int, ...]) -> range:
    """Cards and bouts among them → every total. Exchanging a card for one a rank lower changes a total by 2."""
    plain = cards - bouts
    return range(bouts * BOUT + plain * PLAIN, bouts * BOUT + sum(best[:plain]) + 1, 2)


def most_leaving_a_trick(result: DealResult) -> int:
    """The most the attack has, in half points, when the defence won at least one trick."""
    bouts = BOUTS - result.bouts
    return DECK - result.players * PLAIN - with_own_cards(Side.DEFENCE, result.contract, result.players, bouts)


def least_with_a_trick(result: DealResult) -> int:
    """The least the attack has, in half points, when it won at least one trick."""
    return result.players * PLAIN + with_own_cards(Side.ATTACK, result.contract, result.players, result.bouts)


def least_tricks_of_poignees(poignees: Iterable[Poignee], players: int, rules: ScoringRules = FFT) -> int:
    """Return how many tricks a side wins at least by the longest poignée that one of its players showed.

    The Excuse, or a trump that was discarded, may be one of those shown: the others are played. A trump loses its trick
    only to a higher trump, of which everybody else has what is left of the 21.
    """
    played = max((rules.poignee_trumps[players][poignee] - 1 for poignee in poignees), default=0)
    return max(0, played - (TRUMPS - 1 - played))


def least_with_poignees(result: DealResult) -> int:
    """Return the least the attack has, in half points, after the poignées that it showed."""
    tricks = least_tricks_of_poignees(result.poignees_attack, result.players)
    own = with_own_cards(Side.ATTACK, result.contract, result.players, result.bouts)
    return tricks * result.players * PLAIN + own


def most_against_poignees(result: DealResult) -> int:
    """Return the most the attack has, in half points, after the poignées that the defence showed."""
    tricks = least_tricks_of_poignees(result.poignees_defence, result.players)
    own = with_own_cards(Side.DEFENCE, result.contract, result.players, BOUTS - result.bouts)
    return DECK - tricks * result.players * PLAIN - own


def check(result: DealResult, rules: ScoringRules = FFT) -> None:
    """Raises ScoringError if the figures contradict each other, whatever was played: what cannot be scored."""
    _check_shape(result, rules)
    _check_poignees(result, rules)
    _check_points(result)
    _check_chelem(result)


def check_cards(result: DealResult) -> None:
    """Raises ScoringError if no play of the cards gives a result that `check` passes: what no table may enter.

    The published examples of arithmetic and what was stored before this was asked are scored without it. Without a
    chelem each side has a trick; docs/scoring.md proves the bounds, and that each is reached.
    """
    if (result.petit_au_bout, result.bouts) in ((Side.ATTACK, 0), (Side.DEFENCE, BOUTS)):
        raise ScoringError("petit_without_bout", "petit_au_bout", _describe(result) | {"side": result.petit_au_bout})
    least, most = least_with_a_trick(result), most_leaving_a_trick(result)
    if result.chelem == Chelem.NONE and not least <= result.half_points <= most:
        told = _describe(result) | {"least": points(least), "most": points(most)}
        raise ScoringError("trick_for_each", "chelem", told)


def check_players(players: int, partner: bool | None) -> None:
    """`ScoringError` unless 3, 4 or 5 play, and whether the taker has a partner is said at 5 alone."""
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
        raise ScoringError("points_range", "points", {"value": points(result.half_points)})
    if result.players == 4 and result.half_points % 2:
        raise ScoringError("points_half", "points", {"value": points(result.half_points)})


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
    """A side has at least its bouts, one of which may be the Excuse that it kept; the other side, at most the rest."""
    least = _bouts_alone(result.bouts)
    theirs = BOUTS - result.bouts
    own = with_own_cards(Side.DEFENCE, result.contract, result.players, theirs)  # in a garde contre, the chien
    most = DECK - max(_bouts_alone(theirs), own)
    if result.half_points > most:
        raise ScoringError("points_too_high", "points", _describe(result, limit=most - _odd(result, most)))
    if result.half_points < least:
        raise ScoringError("points_too_low", "points", _describe(result, limit=least + _odd(result, least)))


def _bouts_alone(bouts: int) -> int:
    return bouts * BOUT - (BOUT - KEPT_EXCUSE) if bouts else 0


def _odd(result: DealResult, half_points: int) -> int:
    """1 where the limit is a half point that four players cannot have."""
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
    """The defence has no trick: what it holds is known to the half point."""
    possible = {
        bouts: {DECK - total for total in without_trick(Side.DEFENCE, result.contract, result.players, BOUTS - bouts)}
        for bouts in range(BOUTS + 1)
    }
    if result.half_points not in possible[result.bouts]:
        raise ScoringError("chelem_made_points", "points", _describe(result, possible=_ranges(possible)))


def _check_suffered(result: DealResult) -> None:
    """The attack has no trick. Too few points are only questioned, for tables forget to count the écart."""
    possible = {
        bouts: set(without_trick(Side.ATTACK, result.contract, result.players, bouts)) for bouts in range(BOUTS + 1)
    }
    if result.half_points > max(possible[result.bouts], default=-1):
        raise ScoringError("chelem_suffered_points", "points", _describe(result, possible=_ranges(possible)))


def _check_petit(result: DealResult, loser: Side) -> None:
    if result.petit_au_bout == loser:
        raise ScoringError("petit_au_bout_chelem", "petit_au_bout", {"side": loser, "chelem": result.chelem})


def _describe(result: DealResult, limit: int | None = None, possible: str | None = None) -> dict[str, object]:
    told: dict[str, object] = {
        "value": points(result.half_points),
        "bouts": result.bouts,
        "contract": result.contract,
        "players": result.players,
    }
    if limit is not None:
        told["limit"] = points(limit)
    return told if possible is None else told | {"possible": possible}


def _ranges(possible: dict[int, set[int]]) -> str:
    """Points by bouts, in figures: "87 (bouts: 2), 91 (bouts: 3)"."""
    told = []
    for bouts, totals in possible.items():
        if totals:
            low, high = points(min(totals)), points(max(totals))
            told.append(f"{low}{'' if low == high else f'–{high}'} (bouts: {bouts})")
    return ", ".join(told)
