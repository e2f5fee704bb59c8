"""A session's percentages from its rows, computed by docs/scoring.md alone, play by play, in fractions.

It uses nothing of `scoring` or `evenings.standings`. Facts are Gardes of two bouts without bonuses, as `garde` makes
them.
"""

from fractions import Fraction

SEATS = {"N": "north_id", "E": "east_id", "S": "south_id", "W": "west_id"}


def percentages(session):
    """Return {entrant: (attack, defence, global)} for everybody who has a note."""
    plays = [told for play in session.plays.select_related("etui", "table") if (told := tell(session, play))]
    notes = []  # (entrant, part, note, fixed)
    for play in plays:
        others = [each for each in plays if each["etui"] == play["etui"] and counts(each)]
        for line, entrant in play["seats"].items():
            part = part_of(play, line)
            if line in play["fixed"]:
                notes.append((entrant, part, play["fixed"][line], True))
            elif counts(play):
                notes.append((entrant, part, topage(session, play, others, line), False))
    return {
        entrant: figures(session, entrant, notes) for entrant in {entrant for entrant, _part, _note, _fixed in notes}
    }


def tell(session, play):
    """Return what counts of a play, or None if it is annulled or nothing is known of it."""
    ruled = play.rulings.order_by("id").last()
    of_etui = session.etui_rulings.filter(etui=play.etui).order_by("id").last()
    kind = ruled.kind if ruled else ""
    adjusted = ruled if kind == "adjusted" else None
    if kind == "annulled" or (of_etui and of_etui.kind == "annulled"):
        return None
    entry = None if play.is_replay else play.entries.filter(current=True).first()
    taker, score = (entry.taker, score_of(entry)) if entry else ("", None)
    if adjusted and adjusted.score is not None and not play.is_replay:
        taker, score = adjusted.taker, adjusted.score
    elif adjusted and entry is None:
        taker = adjusted.taker
    if session.tournament.auction == "imposed":
        taker = play.etui.taker
    late = False
    if of_etui and of_etui.kind == "split":
        behind = play.position == of_etui.from_position and play.table.number not in of_etui.played_before
        late = play.position > of_etui.from_position or behind
    return {
        "etui": (play.etui_id, late),
        "seats": {line: getattr(play, column) for line, column in SEATS.items()},
        "taker": taker,
        "score": score,
        "fixed": adjusted.notes if adjusted else {},
        "compared": adjusted.compared if adjusted else True,
    }


def counts(play):
    return play["score"] is not None and play["compared"]


def score_of(entry):
    if entry.kind == "passed":
        return 0
    if entry.kind == "fiche":
        return entry.fiche_score
    over = Fraction(entry.half_points, 2) - 41
    return int(2 * (25 + over) if over >= 0 else -2 * (25 - over))


def topage(session, play, others, line):
    free = session.tournament.auction == "free"
    figure = mark if free else base
    mine, theirs = figure(play, line), [figure(each, line) for each in others if each is not play]
    if not theirs:
        return Fraction(50)
    beaten = sum(mine > other for other in theirs) + Fraction(sum(mine == other for other in theirs), 2)
    note = 100 * beaten / len(theirs)
    return note if free or line == play["taker"] else 100 - note


def base(play, _line):
    return play["score"]


def mark(play, line):
    if not play["taker"]:
        return 0
    return 3 * play["score"] if line == play["taker"] else -play["score"]


def part_of(play, line):
    if play["taker"]:
        return "attack" if play["taker"] == line else "defence"
    return "passed" if play["score"] is not None else "unknown"


def figures(session, entrant, notes):
    own = {part: [] for part in ("attack", "defence", "passed", "unknown")}
    for who, part, note, fixed in notes:
        if who == entrant and not fixed:
            own[part].append(note)
    everything = [note for mine in own.values() for note in mine]
    all_notes = {part: list(mine) for part, mine in own.items()}
    for who, part, word, fixed in notes:
        if who != entrant or not fixed:
            continue
        figure = Fraction(word.removeprefix("better "))
        mine = everything if part == "unknown" else own[part]
        better = word.startswith("better ") and mine
        all_notes[part].append(max(figure, average(mine)) if better else figure)
    attack, defence = average(all_notes["attack"]), average(all_notes["defence"])
    if session.tournament.auction == "free":
        total = average([note for mine in all_notes.values() for note in mine])
    elif attack is None or defence is None:
        total = attack if defence is None else defence
    else:
        total = (attack + 3 * defence) / 4
    return attack, defence, total - taken_off(session, entrant)


def average(notes):
    return sum(notes) / Fraction(len(notes)) if notes else None


def taken_off(session, entrant):
    points = Fraction(0)
    for row in session.penalties.filter(entrant=entrant, reverses=None):
        if session.penalties.filter(reverses=row).exists() or row.kind == "warning":
            continue
        weight = Fraction(row.points) / (session.positions if row.position else 1)
        points += weight if row.kind == "penalty" else -weight
    return points
