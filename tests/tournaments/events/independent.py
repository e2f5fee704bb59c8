"""A tournament of several sessions computed from its rows by itself: no line of it is shared with `scoring`, nor with
what makes standings. An imposed Garde, entered as facts without petit, poignée or chelem, or as a fiche's score."""

from collections import defaultdict
from fractions import Fraction

from tournaments.models import Entrant, EtuiRuling, Penalty, Play, ResultEntry, Ruling, Session, Tournament

LINES = {"N": "north", "E": "east", "S": "south", "W": "west"}
TARGETS = {0: 56, 1: 51, 2: 41, 3: 36}


def percentages(tournament: Tournament, session: Session) -> dict[int, tuple[Fraction | None, ...]]:
    """Attack, defence and global percentage of each entrant of a session, and how many notes he has."""
    field = [session]
    if session.group is not None and session.group.one_topage:
        field = list(Session.objects.filter(group=session.group))
    notes, better = defaultdict(list), defaultdict(list)
    for etui in {play.etui_id for play in Play.objects.filter(session__in=field)}:
        compare(etui, field, notes, better)
    for (player, part), figures in better.items():
        own = [note for note, fixed in notes[player, part] if not fixed]
        mean = sum(own) / len(own) if own else None
        notes[player, part] += [(figure if mean is None else max(figure, mean), True) for figure in figures]
    found = {}
    for pk in Entrant.objects.filter(session=session).values_list("pk", flat=True):
        attack, defence = ([note for note, _fixed in notes[pk, part]] for part in ("attack", "defence"))
        if not attack and not defence:
            continue
        means = [sum(part, Fraction()) / len(part) if part else None for part in (attack, defence)]
        overall = means[0] / 4 + means[1] * Fraction(3, 4) if None not in means else means[0] or means[1] or Fraction()
        found[pk] = (*means, overall - taken_off(session, pk), len(attack) + len(defence))
    return found


def compare(etui, field, notes, better):
    """Adds the notes of an étui's plays; those that are the better of two are left for the end."""
    parts = defaultdict(list)
    for play in Play.objects.filter(session__in=field, etui=etui).select_related("etui", "table"):
        told = EtuiRuling.objects.filter(session=play.session_id, etui=etui).order_by("-id").first()
        if told is not None and told.kind == "annulled":
            continue
        part = 1
        if told is not None and told.kind == "split":
            later = play.position > told.from_position
            same = play.position == told.from_position and play.table.number not in told.played_before
            part = 2 if later or same else 1
        score, fixed, counts = decide(play)
        parts[part].append((play, score if counts else None, fixed))
    for plays in parts.values():
        scores = [score for _play, score, _fixed in plays if score is not None]
        for play, score, fixed in plays:
            note = None
            if score is not None:
                won = sum((mine < score) + Fraction(mine == score, 2) for mine in scores) - Fraction(1, 2)
                note = 100 * won / (len(scores) - 1) if len(scores) > 1 else Fraction(50)
            for line, seat in LINES.items():
                part = "attack" if line == play.etui.taker else "defence"
                key = getattr(play, f"{seat}_id"), part
                if line in fixed:
                    word = fixed[line]
                    if word.startswith("better "):
                        better[key].append(Fraction(word.split()[1]))
                    else:
                        notes[key].append((Fraction(word), True))
                elif note is not None:
                    notes[key].append((note if part == "attack" else 100 - note, False))


def decide(play):
    """A play's score, its fixed notes, and whether its score is compared."""
    ruling = Ruling.objects.filter(play=play).order_by("-id").first()
    kind = ruling.kind if ruling else "restored"
    if kind in ("annulled", "not_played"):
        return None, {}, False
    entry = ResultEntry.objects.filter(play=play, current=True).first()
    score = None if entry is None else base(entry)
    if kind != "adjusted":
        return score, {}, True
    return (ruling.score if ruling.score is not None else score), ruling.notes, ruling.compared


def base(entry):
    if entry.kind == "fiche":
        return entry.fiche_score
    over = entry.half_points // 2 - TARGETS[entry.bouts]
    return 2 * (25 + over) if over >= 0 else 2 * (over - 25)


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
    """Each player of the list: what he totals, his rank, and what he has of each round; in no order."""
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
