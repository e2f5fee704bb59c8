"""A computation of a tournament of several sessions from its rows, independent of the site's own.

It shares no code with `scoring` or with the modules that make standings. It knows an imposed Garde and a free auction.
A play is entered as facts without petit, poignée or chelem, as a fiche's score, or as passed out.
"""

from collections import defaultdict
from fractions import Fraction

from tournaments.models import Entrant, EtuiRuling, Penalty, Play, ResultEntry, Ruling, Session, Tournament

LINES = {"N": "north", "E": "east", "S": "south", "W": "west"}
TARGETS = {0: 56, 1: 51, 2: 41, 3: 36}
TIMES = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}
PARTS = ("attack", "defence", "passed", "unknown")


def percentages(tournament: Tournament, session: Session) -> dict[int, tuple[Fraction | None, ...]]:
    """Return attack, defence and global percentage, and the number of notes, of each entrant of a session."""
    field = [session]
    if session.group is not None and session.group.one_topage:
        field = list(Session.objects.filter(group=session.group))
    notes, better = defaultdict(list), defaultdict(list)
    for etui in {play.etui_id for play in Play.objects.filter(session__in=field)}:
        compare(etui, field, notes, better)
    for (player, part), figures in better.items():
        compared = PARTS if part == "unknown" else (part,)
        own = [note for one in compared for note, fixed in notes[player, one] if not fixed]
        notes[player, part] += [(max(figure, mean(own) or figure), True) for figure in figures]
    found = {}
    for pk in Entrant.objects.filter(session=session).values_list("pk", flat=True):
        mine = {part: [note for note, _fixed in notes[pk, part]] for part in PARTS}
        everything = [note for part in PARTS for note in mine[part]]
        if not everything:
            continue
        means = [mean(mine[part]) for part in ("attack", "defence")]
        if tournament.auction == "free":
            overall = mean(everything)
        else:
            both = None not in means
            overall = means[0] / 4 + means[1] * Fraction(3, 4) if both else means[0] or means[1] or Fraction()
        found[pk] = (*means, overall - taken_off(session, pk), len(everything))
    return found


def mean(notes):
    return sum(notes, Fraction()) / len(notes) if notes else None


def compare(etui, field, notes, better):
    """Add the notes of an étui's plays to `notes`.

    A note that is the better of two is added to `better`, since it needs all other notes.
    """
    parts = defaultdict(list)
    for play in Play.objects.filter(session__in=field, etui=etui).select_related(
        "etui", "table", "session__tournament"
    ):
        told = EtuiRuling.objects.filter(session=play.session_id, etui=etui).order_by("-id").first()
        if told is not None and told.kind == "annulled":
            continue
        part = 1
        if told is not None and told.kind == "split":
            later = play.position > told.from_position
            same = play.position == told.from_position and play.table.number not in told.played_before
            part = 2 if later or same else 1
        parts[part].append((play, *decide(play)))
    free = field[0].tournament.auction == "free"
    for plays in parts.values():
        compared = [(taker, score) for _play, taker, score, _fixed, counts in plays if counts and score is not None]
        for play, taker, score, fixed, counts in plays:
            for line, seat in LINES.items():
                part = part_of(taker, line, known=score is not None)
                key = getattr(play, f"{seat}_id"), part
                if line in fixed:
                    word = fixed[line]
                    if word.startswith("better "):
                        better[key].append(Fraction(word.split()[1]))
                    else:
                        notes[key].append((Fraction(word), True))
                elif counts and score is not None:
                    # In a free auction each line is compared by its own mark. In an imposed contract the taker is
                    # compared, and the three others get 100 minus the taker's note.
                    by = line if free else taker
                    note = topage(mark(taker, score, by), [mark(*each, by) for each in compared])
                    notes[key].append((note if free or part == "attack" else 100 - note, False))


def part_of(taker, line, *, known):
    if not taker:
        return "passed" if known else "unknown"
    return "attack" if line == taker else "defence"


def mark(taker, score, line):
    if not taker:
        return 0
    return 3 * score if line == taker else -score


def topage(mine, marks):
    """Return the note of one mark among all marks of an étui, `mine` included."""
    won = sum((other < mine) + Fraction(other == mine, 2) for other in marks) - Fraction(1, 2)
    return 100 * won / (len(marks) - 1) if len(marks) > 1 else Fraction(50)


def decide(play):
    """Return a play's taker, score and fixed notes, and whether its score is compared.

    A play that was set aside as not played counts if it has a result all the same.
    """
    ruling = Ruling.objects.filter(play=play).order_by("-id").first()
    kind = ruling.kind if ruling else "restored"
    free = play.session.tournament.auction == "free"
    if kind == "annulled":
        return "" if free else play.etui.taker, None, {}, False
    entry = ResultEntry.objects.filter(play=play, current=True).first()
    taker, score = ("", None) if entry is None else (entry.taker, base(entry))
    fixed, counts = {}, True
    if kind == "adjusted":
        if ruling.score is not None:
            taker, score = ruling.taker, ruling.score
        fixed, counts = ruling.notes, ruling.compared
    return taker if free else play.etui.taker, score, fixed, counts


def base(entry):
    if entry.kind == "passed":
        return 0
    if entry.kind == "fiche":
        return entry.fiche_score
    over = entry.half_points // 2 - TARGETS[entry.bouts]
    return TIMES[entry.contract] * (25 + over if over >= 0 else over - 25)


def taken_off(session, entrant):
    total = Fraction()
    for row in Penalty.objects.filter(entrant=entrant, reverses=None):
        if not Penalty.objects.filter(reverses=row).exists():
            share = Fraction(row.points) / (session.positions if row.position else 1)
            total += {"penalty": share, "bonus": -share, "warning": 0}[row.kind]
    return total


def is_ranked(tournament, entrant, deals, most):
    return entrant.ranked and 100 * deals >= tournament.least_share * most


def rank(tournament: Tournament) -> list[tuple[int, Fraction | None, int | None, list[Fraction | None]]]:
    """Return each player with the total, the rank and the percentage of each round, in no order."""
    rounds = defaultdict(list)
    for session in Session.objects.filter(tournament=tournament).select_related("group").order_by("number"):
        rounds[f"g{session.group_id}" if session.group_id else session.pk].append(session)
    brought, weights = [], []
    for sessions in rounds.values():
        column = {}
        for session in sessions:
            figures = percentages(tournament, session)
            most = max((figure[3] for figure in figures.values()), default=0)
            for entrant in Entrant.objects.filter(pk__in=figures):
                overall, deals = figures[entrant.pk][2:]
                column[entrant.player_id] = overall if is_ranked(tournament, entrant, deals, most) else None
        brought.append(column)
        weights.append(Fraction(sessions[0].coefficient))
    players = {player for column in brought for player in column}
    totals = {}
    for player in players:
        mine = [(weight, column.get(player)) for weight, column in zip(weights, brought, strict=True)]
        mine = [(weight, value) for weight, value in mine if value is not None]
        if not mine:
            continue
        if tournament.best_of:
            worth = (lambda each: each[0] * each[1]) if tournament.counting == "sum" else (lambda each: each[1])
            mine = sorted(mine, key=worth, reverse=True)[: tournament.best_of]
        summed = sum((weight * value for weight, value in mine), Fraction())
        totals[player] = summed if tournament.counting == "sum" else summed / sum(weight for weight, _value in mine)
    times = {player: sum(column.get(player) is not None for column in brought) for player in players}
    ranked = {p: total for p, total in totals.items() if times[p] >= min(tournament.least_sessions, len(brought))}
    return [
        (
            player,
            totals.get(player),
            1 + sum(other > ranked[player] for other in ranked.values()) if player in ranked else None,
            [column.get(player) for column in brought],
        )
        for player in players
    ]
