"""The number of PDF pages a second, beside blank pages of the same typesetter.

    python -m bench.printing [--boards 36] [--rounds 5] [--within 5]

Each document is compared with a document of as many empty A4 pages. Every round prints other étuis, because the
typesetter caches its layouts. The best round of each counts. Rounds take turns, so that a busy machine slows down both.
The exit code is 1 if dealing the étuis and printing their diagrams takes more than `--within` seconds in the slowest
round. That is usually the first, because it loads the fonts.
"""

import argparse
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from time import perf_counter
from typing import Any

import typst

from bench.site import new_place, set_up
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer

NAMES = ("Marie-Thérèse Delacroix", "Jean Dupont", "Éloïse Château-Renault", "Noël Ångström")
SCORES = (106, 62, 56, 30, -52, -56, -82)


def deal_etuis(count: int, turn: int) -> list[Any]:
    """Return étuis as they are after an evening of seven positions: cards, and seven plays with notes.

    Each `turn` has other étuis.
    """
    from deals.exports.documents import PrintedEtui, RecordedPlay

    names = tuple(f"{name} {turn}" for name in NAMES)
    plays = tuple(
        RecordedPlay(
            place, turn + place, names, score, (Fraction(100 * (7 - place), 6), Fraction(100 * (place - 1), 6))
        )
        for place, score in enumerate(SCORES, 1)
    )
    seed = bytes([turn]) * 32
    return [PrintedEtui(k, *taker_and_dealer(k), deal_etui(seed, k).deal, plays) for k in range(1, count + 1)]


def print_heading(turn: int) -> Any:
    from deals.exports.documents import SetHeading

    return SetHeading(f"Étuis de la soirée {turn}", "Tournoi d’automne", colour="bleu", ink="#1f5fbf")


def blank(pages: int, turn: int) -> bytes:
    from deals.exports.pdf import FONTS

    source = f'#set page(paper: "a4")\n#set document(title: "{turn}")\n' + "#pagebreak()\n" * (pages - 1)
    return typst.compile(source.encode(), font_paths=FONTS)


def page_count(document: bytes) -> int:
    return len(re.findall(rb"/Type/Page\b", document))


def set_document(document: Callable[..., Any], heading: Any, etuis: list[Any]) -> bytes:
    printed: bytes = document(heading, etuis, language="fr").typeset()
    return printed


def time_documents(work: Callable[[], bytes]) -> tuple[float, bytes]:
    start = perf_counter()
    document = work()
    return perf_counter() - start, document


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=36)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--within", type=float, default=5.0)
    args = parser.parse_args()
    with new_place():
        set_up(migrated=False)
        from deals.exports import pdf

    documents = (pdf.diagrams, pdf.building_list, pdf.labels, pdf.fiches, pdf.hand_records)
    times: dict[str, list[tuple[float, float]]] = {document.__name__: [] for document in documents}
    pages: dict[str, int] = {}
    dealing: list[float] = []
    for turn in range(args.rounds):
        start = perf_counter()
        etuis = deal_etuis(args.boards, turn)
        dealing.append(perf_counter() - start)
        for document in documents:
            name = document.__name__
            seconds, printed = time_documents(partial(set_document, document, print_heading(turn), etuis))
            pages[name] = page_count(printed)
            times[name].append((seconds, time_documents(partial(blank, pages[name], turn))[0]))

    for name, rounds in times.items():
        seconds, reference = (min(column) for column in zip(*rounds, strict=True))
        figures = f"{pages[name] / seconds:6.0f} pages/s   {reference / seconds:.3f} of blank pages"
        sys.stdout.write(f"{name:14}{pages[name]:4} pages {seconds:7.3f} s {figures}\n")
    slowest = max(deal + seconds for deal, (seconds, _) in zip(dealing, times["diagrams"], strict=True))
    sys.stdout.write(f"{args.boards} étuis dealt and their diagrams set: {slowest:.3f} s in the slowest round\n")
    return int(slowest > args.within)


if __name__ == "__main__":
    sys.exit(main())
