"""What is otherwise in one frozen report than in another: codes with params, which `changes` puts into sentences.

Pure functions of the two. Players stand in it by their ids in the club's list, as in the reports; nothing when equal.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.ranking import LINES

MISSING = "missing"
RANKS = ("rank_general", "rank_line", "rank_alterne")
PERCENTAGES = ("overall", "attack", "defence")
EVENING = ("session", "date", "tables", "positions", "etuis_per_position", "auction")
Data = dict[str, Any]
Change = dict[str, Any]


def compare(before: Data, after: Data) -> list[Change]:
    """What the second says otherwise: of the plan, of each étui, of each player, of the ranking, in this order."""
    if before == after:
        return []
    changes = [
        *([{"code": "evening"}] if any(before.get(key) != after.get(key) for key in EVENING) else []),
        *compare_etuis(before, after),
        *compare_players(before, after),
    ]
    # Whatever else may differ is told of as such: no version is called the same as another.
    return changes or [{"code": "details"}]


def compare_etuis(before: Data, after: Data) -> Iterator[Change]:
    olds, news = ({etui["number"]: etui for etui in data["etuis"]} for data in (before, after))
    told: list[Change] = []
    came: list[Change] = []
    cards = Counter(bool(news[number]["cards"]) for number in olds.keys() & news if other_cards(olds, news, number))
    for number in sorted(olds.keys() | news):
        if number not in olds or number not in news:
            told.append({"code": "etui_came" if number in news else "etui_gone", "etui": number})
            continue
        for change in compare_etui(olds[number], news[number]):
            (came if change["code"] == "came" else told).append(change)
    # Results that were awaited are no corrections: of many of them the number says enough.
    yield from came if len(came) <= 1 else [{"code": "came_many", "count": len(came)}]
    yield from told
    for there, code in ((True, "cards_came"), (False, "cards_gone")):
        if cards[there]:
            yield {"code": code, "count": cards[there]}


def other_cards(olds: dict[int, Data], news: dict[int, Data], number: int) -> bool:
    return bool(olds[number]["cards"] != news[number]["cards"])


def compare_etui(old: Data, new: Data) -> Iterator[Change]:
    number = old["number"]
    if any(old.get(key) != new.get(key) for key in ("altered_from", "altered_after")):
        yield {"code": "etui_split" if new["altered_from"] else "etui_whole", "etui": number}
    if any(old.get(key) != new.get(key) for key in ("taker", "dealer")):
        yield {"code": "etui_seats", "etui": number}
    olds, news = ({play["id"]: play for play in etui["plays"]} for etui in (old, new))
    both = [(olds[pk], news[pk]) for pk in olds if pk in news]
    if len(both) > 1 and len(both) == len(olds) == len(news):
        states = {(before["state"], after["state"]) for before, after in both}
        for code, told in (("etui_annulled", 1), ("etui_counts", 0)):
            if {pair[told] for pair in states} == {"annulled"} and "annulled" not in {
                pair[1 - told] for pair in states
            }:
                yield {"code": code, "etui": number}
                return
    for play in (*olds.values(), *(news[pk] for pk in news if pk not in olds)):
        place = {"etui": number, "table": play["table"]}
        if play["id"] not in news:
            yield {"code": "play_gone", **place}
        elif play["id"] not in olds:
            yield {"code": "play_came", **place}
        else:
            yield from compare_play(play, news[play["id"]], place)


def compare_play(old: Data, new: Data, place: dict[str, int]) -> Iterator[Change]:
    before, after = old["base_score"], new["base_score"]
    if before is None and after is not None:
        if old["state"] == MISSING:
            yield {"code": "came", **place, "after": after}
        else:
            yield {"code": "counts", **place, "state": old["state"], "after": after}
    elif before is not None and after is None:
        yield {"code": "counts_not", **place, "before": before, "state": new["state"]}
    elif before != after:
        yield {"code": "score", **place, "before": before, "after": after}
    elif old["state"] != new["state"]:
        yield {"code": "state", **place, "state": new["state"]}
    elif after is not None and any(old[key] != new[key] for key in ("taker", "facts")):
        yield {"code": "facts", **place, "after": after}
    if old["seats"] != new["seats"]:
        yield {"code": "seats", **place}
    if any(old[key] != new[key] for key in ("position", "table")):
        yield {"code": "place", **place}
    yield from compare_fixed(old, new, place)


def compare_fixed(old: Data, new: Data, place: dict[str, int]) -> Iterator[Change]:
    """Notes that the arbiter has fixed, by line; and whether the score is compared with the others."""
    for line in (line for line in LINES if line in {*old.get("fixed", ()), *new.get("fixed", ())}):
        had, has = (
            play["notes"][line] if line in play.get("fixed", ()) and play["notes"] else None for play in (old, new)
        )
        if had != has:
            told = {"line": str(line), **({} if has is None else {"note": has})}
            yield {"code": code_of_fixed(old, new, line) if has is not None else "fixed_not", **place, **told}
    inside = new.get("compared", True)
    if old.get("compared", True) != inside:
        yield {"code": "compared" if inside else "not_compared", **place}


def code_of_fixed(old: Data, new: Data, line: str) -> str:
    """How a note that is fixed has changed: by the arbiter, or by itself, being the better of a figure and a mean."""
    before, after = old.get("fixed", {}), new["fixed"]
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return "fixed"  # reports of old name the lines alone
    return "fixed_moves" if before.get(line) == after[line] else "fixed"


def compare_players(before: Data, after: Data) -> Iterator[Change]:
    olds, news = ({player["player"]: player for player in data["players"]} for data in (before, after))
    for pk in olds:
        if pk not in news:
            yield {"code": "player_gone", "player": pk}
    for pk, new in news.items():
        if pk not in olds:
            yield {"code": "player_came", "player": pk}
            continue
        old = olds[pk]
        if old["penalty"] != new["penalty"]:
            yield {"code": "penalty", "player": pk, "before": old["penalty"], "after": new["penalty"]}
        if any(old.get(key) != new.get(key) for key in ("ranked", "unranked")):
            yield {"code": "ranked_not" if is_unranked(new) else "ranked", "player": pk}
        if old.get("stand_ins") != new.get("stand_ins"):
            yield {"code": "stand_in", "player": pk}
        if any(old.get(key) != new.get(key) for key in ("line", "number")):
            yield {"code": "seat", "player": pk}
    yield from compare_ranks(olds, news)


def is_unranked(player: Data) -> bool:
    return not player.get("ranked", True) or bool(player.get("unranked"))


def compare_ranks(olds: dict[int, Data], news: dict[int, Data]) -> Iterator[Change]:
    """Who moves, of those in both; a tournament's rankings, which have fewer kinds of ranks, are compared by it too."""
    both = [(pk, olds[pk], news[pk]) for pk in news if pk in olds]
    figures = sum(any(old.get(key) != new.get(key) for key in PERCENTAGES) for _pk, old, new in both)
    moved = [pk for pk, old, new in both if any(old.get(key) != new.get(key) for key in RANKS)]
    if figures:
        yield {"code": "percentages", "count": figures}
    if moved:
        general = [
            [pk, olds[pk].get("rank_general"), news[pk].get("rank_general")]
            for pk in moved
            if olds[pk].get("rank_general") != news[pk].get("rank_general")
        ]
        yield {"code": "ranks", "count": len(moved), "moves": general}


def people_in(changes: Sequence[Change]) -> set[int]:
    """The ids, in the club's list, of all whom changes are about."""
    named = {change["player"] for change in changes if "player" in change}
    return named | {pk for change in changes for pk, _before, _after in change.get("moves", ())}
