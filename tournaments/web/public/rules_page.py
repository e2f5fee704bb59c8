"""The figures on the page of the rules. The code that scores results computes them, so they always agree with it."""

from typing import Any

from deals.domain.cards import EXCUSE, half_points
from scoring.contract import FFT, Contract, DealResult, Poignee, Side, marks, score_deal
from scoring.topage import complement, topage
from tournaments.web.parts.cards import face

# FFT 2012 p. 9: a Garde with 2 bouts and 49 points, a simple poignée, the petit au bout to the taker.
EXAMPLE = DealResult(
    players=4,
    contract=Contract.GARDE,
    bouts=2,
    half_points=98,
    petit_au_bout=Side.ATTACK,
    poignees_attack=(Poignee.SIMPLE,),
)
ROI, DAME, CAVALIER, VALET = 27, 26, 25, 24  # of hearts
PAIRS = ((ROI, 6), (DAME, 47), (CAVALIER, 3), (VALET, 61), (8, 64))
WORTHS = ((76, 56, EXCUSE), (13, 27, 41, 55), (12, 26, 40, 54), (11, 25, 39, 53), (10, 24, 38, 52), (9, 19, 60))

TOPAGE = (56, 62, -56, -52, 50)  # one étui at five tables: FFT 2012 p. 17
LEFT, WIDTH = 28, 344  # the scale of the picture, in units of its view box

TABLES = ((3, None), (4, None), (5, True), (5, False))


def rules_page() -> dict[str, Any]:
    return {
        "worths": [{"cards": [face(card) for card in cards], "half": half_points(cards[0])} for cards in WORTHS],
        "pairs": [
            {"cards": [face(card) for card in pair], "points": sum(half_points(card) for card in pair) // 2}
            for pair in PAIRS
        ],
        "targets": list(enumerate(FFT.targets)),
        "contracts": [{"name": str(name), "coefficient": n} for name, n in FFT.coefficients.items()],
        "poignees": [
            {"name": str(name), "worth": worth, "trumps": [FFT.poignee_trumps[n][name] for n in (3, 4, 5)]}
            for name, worth in FFT.poignees.items()
        ],
        "chelems": [(str(name), worth) for name, worth in FFT.chelems.items() if worth],
        "example": score_deal(EXAMPLE),
        "tables": [{"players": n, "partner": partner, "marks": marks(100, n, partner)} for n, partner in TABLES],
        "topage": [
            {"score": score, "note": note, "defence": complement(note), "x": LEFT + int(note) * WIDTH // 100}
            for note, score in sorted(zip(topage(TOPAGE), TOPAGE, strict=True), reverse=True)
        ],
    }
