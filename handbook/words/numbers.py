"""The figures that pages of the handbook name by placeholders. The code that scores results has them."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from deals.domain.cards import CARDS, CHIEN, HAND, PETIT, TRUMP_21, half_points
from scoring.formats import find_format
from scoring.values import FFT, Chelem
from tournaments.words.figures import show_points
from tournaments.words.messages import show_signed

CUSTOM = "custom"  # the source of a figure that no regulation has
# One example card for each worth.
WORTHS = {"bout": TRUMP_21, "roi": 13, "dame": 12, "cavalier": 11, "valet": 10, "plain": 9}
HALF, QUARTERS = "½", {1: "¼", 2: "½", 3: "¾"}


def list_figures() -> dict[str, str]:
    """Return the text of each figure in the active language, by the name of its placeholder."""
    figures: dict[str, object] = {
        "deck": CARDS,
        "points": sum(map(half_points, range(CARDS))) // 2,
        "trumps": TRUMP_21 - PETIT + 1,
        "base": FFT.base,
        "petit": FFT.petit_au_bout,
    }
    for players in HAND:
        figures |= {f"hand.{players}": HAND[players], f"chien.{players}": CHIEN[players]}
        figures |= {f"shown.{players}.{name}": trumps for name, trumps in FFT.poignee_trumps[players].items()}
    figures |= {f"target.{bouts}": target for bouts, target in enumerate(FFT.targets)}
    figures |= {f"coefficient.{name}": value for name, value in FFT.coefficients.items()}
    figures |= {f"poignee.{name}": value for name, value in FFT.poignees.items()}
    figures |= {f"chelem.{name}": show_signed(value) for name, value in FFT.chelems.items() if value}
    figures["chelem.made"] = show_signed(FFT.chelems[Chelem.UNANNOUNCED_MADE])
    figures |= {f"worth.{name}": show_halves(half_points(card)) for name, card in WORTHS.items()}
    weight = find_format("individual").attack_weight
    assert weight is not None
    figures |= {"share.attack": show_share(weight), "share.defence": show_share(1 - weight)}
    return {name: str(value) for name, value in figures.items()}


def say_sources(sources: Sequence[str]) -> str:
    """Return the sources of a page in one line in the active language, "" without sources."""
    named = [_("custom of players, which no regulation has") if each == CUSTOM else each for each in sources]
    return " ".join((_("Sources:"), " · ".join(named))) if named else ""


def show_halves(half: int) -> str:
    """Return half points with the sign of a half: 9 is "4½", 1 is "½"."""
    whole, rest = divmod(half, 2)
    return f"{whole or ''}{HALF if rest else ''}" or show_points(half)


def show_share(share: Fraction) -> str:
    """Return a share of one, in quarters, as its sign: 3/4 is "¾"."""
    return QUARTERS[int(share * 4)]
