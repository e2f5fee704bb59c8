"""The bounds of every plan, and the error for a wish that cannot be planned."""

from typing import ClassVar

from wording import CodedError, Plural, Texts
from wording import gettext_noop as _

MAX_TABLES = 150
MAX_POSITIONS = 150
MAX_ETUIS_PER_POSITION = 24


class PlanError(CodedError):
    """The error for a wish that cannot be planned, or for a text that is not a plan.

    `params` are the figures of its message.
    """

    messages: ClassVar[Texts] = {
        "tables": _("A plan has 1 to %(most)s tables, not %(found)s: change their number."),
        "players": _("A plan is for %(least)s to %(most)s players, not %(found)s: change their number."),
        "teams": _(
            "These tables and positions are for %(least)s to %(most)s teams, not %(found)s: change their"
            " number, or choose others."
        ),
        "no_place_for_team": _(
            "All places at these tables are taken by %(teams)s teams: the late team can replace one, or wait."
        ),
        "moving_etuis": _(
            "With %(found)s teams, étuis can move for %(most)s positions at most, not %(positions)s. Let all tables"
            " play the same étuis."
        ),
        "emmanuel_positions": _(
            "Emmanuel 16 has 4, 8, 12, 16 or %(most)s positions, not %(found)s: change their number."
        ),
        "mirror_positions": _(
            "An odd number of teams, here %(teams)s, plays an even number of positions, not %(found)s. Each étui "
            "is played there and back: add a position or leave one out."
        ),
        "quarter_etuis": _(
            "A quarter of a match has %(least)s to %(most)s étuis, not %(found)s: change the number of étuis."
        ),
        "match_pairs": _("A match has two teams, and %(found)s teams play: leave one out, or add one."),
        "match_twice": _("Team %(team)s is in two matches at the same time: remove one of them."),
        "positions": _("A plan has 1 to %(most)s positions, not %(found)s: change their number."),
        "etuis": _(
            "A table plays 1 to %(most)s étuis in a position, not %(found)s: change the number of étuis per position."
        ),
        "games": _("An evening has 1 to %(most)s games, not %(found)s: change their number."),
        "deals": _("A game has 1 to %(most)s deals, not %(found)s: change their number."),
        "no_fives": _(
            "%(found)s players cannot be divided into tables of four and five: let some tables play with three."
        ),
        "not_alike": _(
            "%(found)s players cannot all sit at tables of %(size)s: %(fewer)s or %(more)s can. Let %(out)s sit out, "
            "or add players until there are %(more)s."
        ),
        "too_few_alike": _("A table has %(size)s players here, and only %(found)s are there: add players."),
        "mates_people": _(
            "The teams have %(found)s members, but only %(people)s players are there: correct the teams."
        ),
        "mates_meet": _(
            "Members of one team would meet: the teams have up to %(size)s members, and %(tables)s tables play. "
            "Make smaller teams, or add players."
        ),
        "mates_at_table": _("Somebody of the same team sits at table %(table)s: choose another table or game."),
        "game_order": _("The ranking has not exactly those who play the next game: load the page again."),
        "table_full": _("No table has a place: five people are the most at a table. Choose another table or game."),
        "not_there": _("Number %(found)s is not there in this game: choose another player or game."),
        "history": _("The plan has %(most)s positions, so %(found)s cannot have been played: correct the position."),
        "leaving": _("%(line)s %(number)s is not in the plan after position %(after)s: choose again who leaves."),
        "too_few": _("Nobody would be left on %(line)s, and a table needs all four lines: keep one player there."),
        "fields": _("The first line of the file must name these columns, each once: %(fields)s. Correct it."),
        "value": _(
            "Line %(row)s: %(field)s cannot be “%(value)s”. Positions, tables and players are numbered from "
            "1, and étuis are written 5-8 or 5 6 7 8."
        ),
        "width": _("Line %(row)s: the first line names %(expected)s columns, but this one has %(found)s. Correct it."),
        "twice": _(
            "Line %(row)s: position %(position)s, table %(table)s is already on line %(first)s. Remove one of them."
        ),
        "uneven": Plural(
            "Line %(row)s has %(found)s étui, but line %(first)s has %(expected)s: give all tables the same number.",
            "Line %(row)s has %(found)s étuis, but line %(first)s has %(expected)s: give all tables the same number.",
            "found",
        ),
        "data": _("“%(field)s” is missing, has the wrong type or is too large: write it as an exported plan does."),
        "empty": _("There is no table in the plan: write one line for each table of each position."),
    }


def check_counts(*, tables: int, positions: int, etuis_per_position: int) -> None:
    """Raise PlanError if the number of tables, positions or étuis per position is out of range."""
    if not 1 <= tables <= MAX_TABLES:
        raise PlanError("tables", found=tables, most=MAX_TABLES)
    if not 1 <= positions <= MAX_POSITIONS:
        raise PlanError("positions", found=positions, most=MAX_POSITIONS)
    if not 1 <= etuis_per_position <= MAX_ETUIS_PER_POSITION:
        raise PlanError("etuis", found=etuis_per_position, most=MAX_ETUIS_PER_POSITION)


def check_wish(*, teams: int, least: int, most: int, positions: int, etuis_per_position: int) -> None:
    """Raise PlanError if the number of teams, positions or étuis per position is out of range."""
    if not least <= teams <= most:
        raise PlanError("teams", found=teams, least=least, most=most)
    check_counts(tables=1, positions=positions, etuis_per_position=etuis_per_position)


def etui_set(index: int, etuis_per_position: int) -> tuple[int, ...]:
    """Return the numbers of the étuis in set `index`, counted from 0. Sets of 4 are 1–4, 5–8, and so on."""
    first = index * etuis_per_position + 1
    return tuple(range(first, first + etuis_per_position))


def turn_set(index: int, etuis_per_position: int, start: int = 0) -> tuple[int, ...]:
    """Return the étuis of set `index`, counted from 0, in the order of play. The étui at place `start` comes first.

    Tables that play the same étuis begin with different ones, so that few copies are needed.
    """
    etuis = etui_set(index, etuis_per_position)
    start %= etuis_per_position
    return etuis[start:] + etuis[:start]
