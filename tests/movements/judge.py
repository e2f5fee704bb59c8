"""The tests' own verifier of plans, written from the definitions. It shares no code with the verifier that it tests."""

from collections import Counter
from functools import cache
from itertools import combinations, product

from movements import Member

SEATS = "NESW"


def judge(plan):
    """Count each thing that a plan may not contain, or that its figures count. A perfect plan gives no counts."""
    found = Counter()
    met, played = Counter(), Counter()
    known = set(everybody(plan))
    rovers = {f"{SEATS[line]}{number}" for line, number in plan.rovers}
    for position in range(1, plan.positions + 1):
        plays = [play for play in plan.stops if play.position == position]
        found["tables"] += sorted(play.table for play in plays) != list(range(1, len(plays) + 1))
        seats = [seated(play) for play in plays]
        here = [person for people in seats for person in people if person]
        there = set(here)
        found["seated twice"] += len(here) - len(there)
        found["strangers"] += len(there - known)
        for people in seats:
            astray = {person for line, person in zip(SEATS, people, strict=True) if person and person[0] != line}
            found["astray"] += len(astray - rovers)
        sets = {play.etuis for play in plays}
        if plan.barometer:
            found["étuis"] += len(sets) != 1
        else:
            laid = [etui for play in plays for etui in play.etuis]
            found["étuis"] += len(laid) - len(set(laid))
        found["étuis"] += sum(len(set(play.etuis)) != plan.etuis_per_position for play in plays)
        for play, people in zip(plays, seats, strict=True):
            if None in people:
                continue
            met.update(combinations(sorted(people), 2))
            played.update(product(people, play.etuis))
    found["meetings"] = sum(times - 1 for times in met.values())
    found["replays"] = sum(times - 1 for times in played.values())
    return +found


def seated(play):
    """Return the names of the players in the seats. A rover from another line has the name of their own line."""
    return [None if who is None else name(*who) for who in play.seats]


@cache
def name(line, number):
    return f"{SEATS[line]}{number}"


def members(*seats):
    """Return the players in the seats of a table. A number is a player of the seat's line."""
    return tuple(Member(line, who) if isinstance(who, int) else who for line, who in enumerate(seats))


def numbers(play):
    """Return the numbers in the seats of a table, or the member if the player is of another line."""
    return tuple(who and (who.number if who.line == line else who) for line, who in enumerate(play.seats))


def everybody(plan):
    return [f"{line}{number}" for line, size in zip(SEATS, plan.lines, strict=True) for number in range(1, size + 1)]


def rests(plan):
    """Return in how many positions each player rests, without fillers."""
    counts = Counter(dict.fromkeys(everybody(plan), 0))
    for position in range(1, plan.positions + 1):
        playing = {
            person
            for play in plan.stops
            if play.position == position and None not in play.seats
            for person in seated(play)
        }
        counts.update(set(everybody(plan)) - playing)
    fillers = {f"{SEATS[line]}{number}" for line, number in plan.fillers}
    return {person: times for person, times in counts.items() if person not in fillers}


def most_meetings(plan):
    met = Counter()
    for play in plan.stops:
        if None not in play.seats:
            met.update(combinations(sorted(seated(play)), 2))
    return max(met.values())


def numbered_from(first, count):
    """Return the line that takes each étui 1 … `count` of a plan, if they have the numbers `first` … in the set.

    The dealer is N, W, S, E in turn. The taker sits as many places to the dealer's right as groups of four have begun.
    """
    turn = [(place // 4 % 4 + 1 + place) % 4 for place in range(first - 1, first - 1 + count)]
    return {etui: -steps % 4 for etui, steps in enumerate(turn, start=1)}
