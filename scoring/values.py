"""The types of a deal's result, and the figures of a set of scoring rules. Nothing is computed here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.errors import ScoringError


class Contract(StrEnum):
    """The contract that the taker bid, from the lowest to the highest."""

    PRISE = "prise"
    GARDE = "garde"
    GARDE_SANS = "garde_sans"
    GARDE_CONTRE = "garde_contre"


class Side(StrEnum):
    """The two sides of a deal: the attack is the taker with the partner, the defence all others. NONE is neither."""

    NONE = "none"
    ATTACK = "attack"
    DEFENCE = "defence"


class Poignee(StrEnum):
    """The sizes of a poignée. `ScoringRules` has their numbers of trumps and their bonuses."""

    SIMPLE = "simple"
    DOUBLE = "double"
    TRIPLE = "triple"


class Chelem(StrEnum):
    """The outcomes of a chelem, in which one side wins every trick.

    A chelem of the attack is made or failed. It is suffered if the defence wins every trick.
    """

    NONE = "none"
    ANNOUNCED_MADE = "announced_made"
    ANNOUNCED_FAILED = "announced_failed"
    UNANNOUNCED_MADE = "unannounced_made"
    SUFFERED = "suffered"
    ANNOUNCED_SUFFERED = "announced_suffered"


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of one deal, as a table reports it.

    `half_points` is twice the points in the attack's tricks (0 to 182) and `bouts` the number of bouts among them (0 to
    3). `partner` is None at three and four players; at five, it is False if the taker plays alone.
    """

    players: int
    contract: Contract
    bouts: int
    half_points: int
    petit_au_bout: Side = Side.NONE
    poignees_attack: tuple[Poignee, ...] = ()
    poignees_defence: tuple[Poignee, ...] = ()
    chelem: Chelem = Chelem.NONE
    partner: bool | None = None


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """The figures of a set of scoring rules.

    `targets`: the points that the taker needs, by the number of bouts. `poignee_trumps`: by the number of players, then
    by poignée. `coefficients` multiply the points of the contract and of the petit au bout, but not the bonuses in
    `poignees` and `chelems`.
    """

    name: str
    base: int
    targets: tuple[int, int, int, int]
    petit_au_bout: int
    coefficients: Mapping[Contract, int] = field(hash=False)
    poignees: Mapping[Poignee, int] = field(hash=False)
    poignee_trumps: Mapping[int, Mapping[Poignee, int]] = field(hash=False)
    chelems: Mapping[Chelem, int] = field(hash=False)


# FFT 2012 p. 9, and pp. 11 and 12 for three and five players. It does not say what an announced chelem costs if the
# defence wins every trick: the 400 are our interpretation.
FFT = ScoringRules(
    name="fft",
    base=25,
    targets=(56, 51, 41, 36),
    petit_au_bout=10,
    coefficients={Contract.PRISE: 1, Contract.GARDE: 2, Contract.GARDE_SANS: 4, Contract.GARDE_CONTRE: 6},
    poignees={Poignee.SIMPLE: 20, Poignee.DOUBLE: 30, Poignee.TRIPLE: 40},
    poignee_trumps={
        3: {Poignee.SIMPLE: 13, Poignee.DOUBLE: 15, Poignee.TRIPLE: 18},
        4: {Poignee.SIMPLE: 10, Poignee.DOUBLE: 13, Poignee.TRIPLE: 15},
        5: {Poignee.SIMPLE: 8, Poignee.DOUBLE: 10, Poignee.TRIPLE: 13},
    },
    chelems={
        Chelem.NONE: 0,
        Chelem.ANNOUNCED_MADE: 400,
        Chelem.ANNOUNCED_FAILED: -200,
        Chelem.UNANNOUNCED_MADE: 200,
        Chelem.SUFFERED: -200,
        Chelem.ANNOUNCED_SUFFERED: -400,
    },
)

RULES: Mapping[str, ScoringRules] = {rules.name: rules for rules in (FFT,)}


def find_rules(name: str) -> ScoringRules:
    """Return the scoring rules with the name that a tournament stores. Raise ScoringError if the name is unknown."""
    if name not in RULES:
        raise ScoringError("unknown_value", "rules", {"value": name, "choices": ", ".join(RULES)})
    return RULES[name]
