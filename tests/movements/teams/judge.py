"""The tests' own check of plans of teams, written from the definitions. It shares no code with `movements.teams`."""

from collections import Counter, defaultdict

CYCLE = "WSENSENWENWSNWSE"  # the takers of étuis 1 to 16, as the regulation's table of étuis has them


def taker(etui):
    return CYCLE[(etui - 1) % 16]


def judge_sides(plan):
    """Count what a plan with teams on sides may not have, and its repeated meetings. No counts mean a perfect plan."""
    found, met, played = Counter(), Counter(), Counter()
    for position in range(1, plan.positions + 1):
        stops = [stop for stop in plan.stops if stop.position == position]
        found["tables"] += sorted(stop.table for stop in stops) != list(range(1, len(stops) + 1))
        there = [team for stop in stops for team in (stop.first, stop.second) if team is not None]
        found["seated twice"] += len(there) - len(set(there))
        found["strangers"] += len(set(there) - set(range(1, plan.competitors + 1)))
        sets = {frozenset(stop.etuis) for stop in stops}
        lying = [etui for stop in stops for etui in stop.etuis]
        found["étuis"] += len(sets) > 1 and len(lying) - len(set(lying))
        found["étuis"] += sum(len(set(stop.etuis)) != plan.etuis_per_position for stop in stops)
        for stop in stops:
            if None not in (stop.first, stop.second):
                met[frozenset((stop.first, stop.second))] += 1
                played.update((team, etui) for team in (stop.first, stop.second) for etui in stop.etuis)
    found["meetings"] = sum(times - 1 for times in met.values())
    found["replays"] = sum(times - 1 for times in played.values())
    return +found


def judge_mirror(plan):
    """Count what a plan of attacks there and back may not have, and the attacks that are repeated."""
    found, attacks, by_attacker, by_defence = Counter(), Counter(), Counter(), Counter()
    halves = defaultdict(list)
    for position in range(1, plan.positions + 1):
        stops = [stop for stop in plan.stops if stop.position == position]
        found["tables"] += sorted(stop.table for stop in stops) != list(range(1, len(stops) + 1))
        for side in ("first", "second"):
            there = [getattr(stop, side) for stop in stops]
            found["seated twice"] += len(there) - len(set(there))
            found["strangers"] += len(set(there) - set(range(1, plan.competitors + 1)))
        for stop in stops:
            found["meets itself"] += stop.first == stop.second
            attacks[stop.first, stop.second] += 1
            for etui in stop.etuis:
                by_attacker[stop.first, etui] += 1
                by_defence[stop.second, etui] += 1
                halves[stop.first, stop.second, etui].append(position)
    for (one, other, etui), positions in halves.items():
        back = halves.get((other, one, etui), [])
        found["not returned"] += len(back) != 1 or len(positions) != 1
        found["break"] += len(back) == 1 and abs(back[0] - positions[0]) > 1
    found["attacks"] = sum(times - 1 for times in attacks.values())
    found["replays"] = sum(times - 1 for played in (by_attacker, by_defence) for times in played.values())
    return +found


def count_rests(plan):
    """Return in how many positions each team plays nowhere."""
    playing = {
        (team, stop.position)
        for stop in plan.stops
        if None not in (stop.first, stop.second)
        for team in (stop.first, stop.second)
    }
    return {
        team: sum((team, position) not in playing for position in range(1, plan.positions + 1))
        for team in range(1, plan.competitors + 1)
    }


def count_attacks(plan):
    """Return how many étuis each team attacks and how many it defends, in a plan with teams on sides."""
    attacks, defences = Counter(), Counter()
    for stop in plan.stops:
        if None not in (stop.first, stop.second):
            for etui in stop.etuis:
                pair = (stop.first, stop.second) if taker(etui) in "NS" else (stop.second, stop.first)
                attacks[pair[0]] += 1
                defences[pair[1]] += 1
    return attacks, defences


def count_alike(plan):
    """Return in how many positions each two teams sit the same way."""
    alike = Counter()
    for one in range(1, plan.competitors + 1):
        for other in range(1, one):
            alike[other, one] = 0
    for position in range(1, plan.positions + 1):
        for side in ("first", "second"):
            there = sorted(
                getattr(stop, side)
                for stop in plan.stops
                if stop.position == position and None not in (stop.first, stop.second)
            )
            alike.update((one, other) for one in there for other in there if one < other)
    return alike


def count_copies(plan):
    """Return how many copies of an étui are in use at the same moment, if all tables keep the same pace."""
    most = 0
    for position in range(1, plan.positions + 1):
        orders = [stop.etuis for stop in plan.stops if stop.position == position]
        for at_once in zip(*orders, strict=True):
            most = max(most, *(at_once.count(etui) for etui in at_once))
    return most
