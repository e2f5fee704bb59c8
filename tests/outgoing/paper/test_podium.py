"""The picture of a podium: it holds all names, however long and however many they are."""

import struct

import pytest

from outgoing.paper.ranking import Heading, PinnedRow, draw_podium

PLAIN = Heading("Club des Étuis", "Duplicate d’été", "Séance 3 · 20 novembre 2026", "Officiel", True, "Personne")
LONG = Heading("W" * 120, "Tournoi ♠♥♦♣ " + "É" * 107, "Ô" * 90, "Version 12, remplacée depuis", False, "Personne")
STEP = PinnedRow("1", "Élodie Lefèvre", "61,3\N{NO-BREAK SPACE}%")
NAMES = ("W" * 80, "Anne " * 32, "É. L.", "李小龙", "« #set text(red) » \\ $x^2$", "")


@pytest.mark.parametrize("heading", [PLAIN, LONG], ids=["plain", "long"])
@pytest.mark.parametrize("count", range(7))
@pytest.mark.parametrize("language", ["fr", "en"])
def test_picture_is_one_page_of_1200_by_630_whatever_stands_there(heading, count, language):
    steps = [STEP._replace(name=name, rank=str(rank)) for rank, name in enumerate((STEP.name, *NAMES)[:count], 1)]
    picture = draw_podium(heading, steps, language=language)
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert picture == draw_podium(heading, steps, language=language)
    assert len(picture) < 300_000
