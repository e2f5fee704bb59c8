"""An independent computation of a simultaneous' field: plain Python on plain data, without the code of `scoring`.

A club is a dict with `name`, `begun`, `plays`, `people`, `penalties`, `least_share`, `substitutes`.

A play is a dict. `etui` is any value that equals that of the plays with the same cards. `seats` has the people's keys
by N, E, S, W. `taker` is a line, and `score` is None if there is none. `fixed` has notes by seat, as 60 or
("better", 60). `out` is True if the play is not compared. A person of `people` is a dict with `who`, `line`, `ranked`.
"""

from fractions import Fraction

SEATS = "NESW"


def list_notes(clubs, annulled, number_of):
    """Return (club's name, person's key, "attack" or "defence", note or fixed note) of all seats with a note."""
    plays = [(club["name"], play) for club in clubs for play in club["plays"] if number_of(play) not in annulled]
    found = []
    for club, play in plays:
        others = [
            other["score"]
            for _club, other in plays
            if other is not play and other["etui"] == play["etui"] and other["score"] is not None and not other["out"]
        ]
        note = None
        if play["score"] is not None and not play["out"]:
            beaten = sum(play["score"] > other for other in others)
            equal = sum(play["score"] == other for other in others)
            note = Fraction(100 * (2 * beaten + equal), 2 * len(others)) if others else Fraction(50)
        for seat in SEATS:
            part = "attack" if seat == play["taker"] else "defence"
            if seat in play["fixed"]:
                found.append((club, play["seats"][seat], part, play["fixed"][seat], True))
            elif note is not None:
                found.append((club, play["seats"][seat], part, note if part == "attack" else 100 - note, False))
    return found


def mean_of(values):
    return sum(values, Fraction()) / len(values) if values else None


def plain_field(clubs, *, annulled=(), lookers=(), number_of=lambda play: play["etui"]):
    """Return {(club's name, person's key): figures} of everybody whom the field lists."""
    clubs = sorted(clubs, key=lambda club: (club["begun"], club["name"]))
    notes = list_notes(clubs, annulled, number_of)
    sitting = {(club["name"], who) for club in clubs for play in club["plays"] for who in play["seats"].values()}
    held = {}
    counted_at = {}
    for club in clubs:
        for key, person in club["people"].items():
            mine = [note for note in notes if note[:2] == (club["name"], key)]
            if mine:
                counted_at.setdefault(person["who"], club["name"])
            if (club["name"], key) in sitting:
                held[club["name"], key] = mine
    figures = {}
    for club in clubs:
        for key, person in club["people"].items():
            if (club["name"], key) not in held or counted_at.get(person["who"], club["name"]) != club["name"]:
                continue
            by_part = {}
            for part in ("attack", "defence"):
                mine = [note for note in held[club["name"], key] if note[2] == part]
                own = mean_of([note[3] for note in mine if not note[4]])
                worth = []
                for *_about, note, is_fixed in mine:
                    if is_fixed and isinstance(note, tuple):
                        least = Fraction(note[1])
                        worth.append(least if own is None else max(least, own))
                    else:
                        worth.append(Fraction(note))
                by_part[part] = worth
            attack, defence = mean_of(by_part["attack"]), mean_of(by_part["defence"])
            if attack is None or defence is None:
                overall = defence if attack is None else attack
            else:
                overall = attack / 4 + 3 * defence / 4
            if overall is not None:
                overall -= club["penalties"].get(key, 0)
            figures[club["name"], key] = {
                "attack": attack,
                "defence": defence,
                "overall": overall,
                "deals": len(by_part["attack"]) + len(by_part["defence"]),
                "line": person["line"],
            }
    rank_plainly(clubs, figures, lookers)
    return figures


def rank_plainly(clubs, figures, lookers):
    """Add the ranks: `rank`, `rank_line` and `rank_alterne`, all None for somebody without a rank."""
    most = max((each["deals"] for each in figures.values()), default=0)
    by_name = {club["name"]: club for club in clubs}
    ranked = []
    for (club_name, key), each in figures.items():
        club = by_name[club_name]
        person = club["people"][key]
        in_time = 100 * each["deals"] >= club["least_share"] * most
        fits = person["ranked"] and (club["substitutes"] or not person.get("substitute"))
        if each["overall"] is not None and in_time and fits and key not in lookers:
            ranked.append(each)
    for each in figures.values():
        each |= {"rank": None, "rank_line": None, "rank_alterne": None}
    for each in ranked:
        each["rank"] = 1 + sum(other["overall"] > each["overall"] for other in ranked)
        same_line = [other for other in ranked if other["line"] == each["line"]]
        each["rank_line"] = 1 + sum(other["overall"] > each["overall"] for other in same_line)
    for each in ranked:
        key = (each["rank_line"], each["rank"])
        each["rank_alterne"] = 1 + sum((other["rank_line"], other["rank"]) < key for other in ranked)
