"""The random evenings of every format, as a director would run them by the pages: `play_random_evening(seed)`.

Whatever the site offers is tried, and may not be refused: each proposed plan starts, each outcome of a change is
carried out. The draw depends on the seed alone. If something goes wrong, a note at the error tells the evening.
"""

from scoring.formats import OFFERED
from tests.random_evenings.evening import Evening, Finished
from tests.random_evenings.games import EveningInGames
from tests.random_evenings.singles import EveningOfSingles
from tests.random_evenings.teams import EveningOfTeams

FORMATS = (*OFFERED, "donnes_libres in teams")


def make_random_evening(seed: int) -> Evening:
    """Return the evening of this seed, before anything happens. One seed after the other takes each format in turn."""
    name = FORMATS[seed % len(FORMATS)]
    format = OFFERED[name.split()[0]]
    if format.has_games:
        return EveningInGames(seed, format, has_teams=name not in OFFERED)
    return EveningOfTeams(seed, format) if format.is_for_teams else EveningOfSingles(seed, format)


def play_random_evening(seed: int) -> Evening:
    """Play the evening of this seed from its preparation to its publication, and return it."""
    evening = make_random_evening(seed)
    try:
        evening.play()
    except Finished:
        pass
    except Exception as error:
        error.add_note(f"seed {seed}: {evening.format.name}")
        for line in evening.story:
            error.add_note(f"  {line}")
        raise
    return evening
