"""A sample of two hundred names written in twelve ways, for a club's list of 150. It is the same in every run."""

import random
import unicodedata

from clubs.matching import KnownPlayer

SEED = 20_26
FIRST_NAMES = (
    "Marie Jean Élise René Hélène François Zoé Jérôme Anne-Sophie Jean-Pierre Noël Chloé Gaël Maëlle Benoît Cécile "
    "Stéphane Agnès Loïc Amélie Sébastien Béatrice Raphaël Océane Bruno Solène Éric Thérèse Aurélien Mélanie"
)
LAST_NAMES = (
    "Dupont|Lefèvre|Le Goff|De La Tour|Saint-Jean|Quéméneur|D’Almeida|Béranger|Martin|Marchand|Moreau|Rousseau|Garnier|"
    "Chevallier|Fournier|Gauthier|Perrin|Robin|Clément|Morin|Nicolas|Henry|Roussel|Mathieu|Gautier|Masson|Duval|Denis|"
    "Lemaire|Noël|Meyer|Dufour|Blanchard|Brunet|Giraud|Riviere|Arnaud|Leclerc|Barbier|Vasseur|Schneider|Fernández|Müller|"
    "Kowalski|Nguyen|Ben Ali|Van Den Berg|Delacroix|Étienne|Poulain"
)

FIRST, LAST = FIRST_NAMES.split(), LAST_NAMES.split("|")


def club(chance: random.Random) -> list[KnownPlayer]:
    """Return 150 players with different names, two thirds with a licence. A few share a family name."""
    names = chance.sample([(last, first) for last in LAST for first in FIRST], 150)
    return [
        KnownPlayer(number, last, first, f"{100_000 + 37 * number}" if number % 3 else "")
        for number, (last, first) in enumerate(names, start=1)
    ]


def bare(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def misspell(text: str, chance: random.Random) -> str:
    """Return the text with one letter wrong: left out, doubled, replaced, or swapped with the next one."""
    at = chance.randrange(1, len(text) - 1)
    return chance.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + chance.choice("aeinrst") + text[at + 1 :],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
        ]
    )


MANNERS = (
    lambda last, first, _who, _chance: f"{last.upper()} {first}",
    lambda last, first, _who, _chance: f"{first} {last}",
    lambda last, first, _who, _chance: f"{last}, {first}",
    lambda last, first, _who, _chance: bare(f"{first} {last}").lower(),
    lambda last, first, _who, _chance: bare(f"{last} {first}").upper().replace("-", " "),
    lambda last, first, who, _chance: f"{last};{first};{who.licence}",
    lambda last, first, who, _chance: f"{last}\t{first}\t{first.lower()}@example.org\t06 12 34 56 78",
    lambda last, first, who, _chance: f"{who.id % 30 + 1}. Mme {first} {last} (arrive à 20 h 15)",
    lambda last, first, _who, _chance: f"- {first[0]}. {last} 🃏",
    lambda last, first, _who, chance: misspell(f"{first} {last}", chance),
    lambda last, first, _who, chance: misspell(bare(f"{last.upper()} {first}"), chance),
    lambda last, first, _who, chance: f"{first.replace('-', '')} {last.replace(' ', '').replace('’', '')} ?",
)
STRANGER_NAMES = (
    "Ingrid Bjørnsdóttir|Karim Haddad|Giuseppe Bianchi|Yann Kerviel|Ludivine Zeller|Ousmane Traoré|Wanda Szymańska|"
    "Hubert Tourneboeuf|Odile Xaintrailles|Pascaline Ygrec|Cunégonde Pfeiffer|Théophraste Ulm|Wilhelmine Oberkampf|"
    "Barnabé Quatremère|Sidonie Jacquemart|Ferdinand Ploumanac’h|Isidore Hautecloque|Radegonde Wattignies|"
    "Anatole Zimmermann|Philomène Jouvenel"
)


def written() -> tuple[list[KnownPlayer], list[tuple[str, int | None]]]:
    """Return the club's list, and 200 lines with the player that each means, None for a stranger.

    Thirty of the players are on two lines.
    """
    chance = random.Random(SEED)
    known = club(chance)
    meant: list[KnownPlayer | None] = [*known, *chance.sample(known, 30), *[None] * 20]
    lines: list[tuple[str, int | None]] = []
    strangers = iter(STRANGER_NAMES.split("|"))
    for number, who in enumerate(meant):
        if who is None:
            lines.append((next(strangers), None))
        else:
            manner = MANNERS[number % len(MANNERS)]
            lines.append((manner(who.last_name, who.first_name, who, chance), who.id))
    chance.shuffle(lines)
    return known, lines
