"""The parts of the result of one deal, and the figures of a set of scoring rules. Nothing is computed here."""

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
    """The sides of a deal: nobody, the taker with the partner, or their opponents."""

    NONE = "none"
    ATTACK = "attack"
    DEFENCE = "defence"


class Poignee(StrEnum):
    """The sizes of a poignée. `ScoringRules` has the number of trumps and the bonus of each."""

    SIMPLE = "simple"
    DOUBLE = "double"
    TRIPLE = "triple"


class Chelem(StrEnum):
    """The outcomes of a chelem, which is every trick for one side.

    Made and failed are outcomes of the attack's chelem, suffered are those of the defence's.
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

    `targets` are by number of bouts, `poignee_trumps` by players, then poignée. `coefficients` multiply the contract
    and the petit au bout; `poignees` and `chelems` are never multiplied.
    """

    name: str
    base: int
    targets: tuple[int, int, int, int]
    petit_au_bout: int
    coefficients: Mapping[Contract, int] = field(hash=False)
    poignees: Mapping[Poignee, int] = field(hash=False)
    poignee_trumps: Mapping[int, Mapping[Poignee, int]] = field(hash=False)
    chelems: Mapping[Chelem, int] = field(hash=False)


# FFT 2012 p. 9, and pp. 11 and 12 for three and five players. The 400 for an announced chelem that is suffered are our
# interpretation.
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
    """Return the rules of this name, as tournaments store it. Raise ScoringError if the name is unknown."""
    if name not in RULES:
        raise ScoringError("unknown_value", "rules", {"value": name, "choices": ", ".join(RULES)})
    return RULES[name]
