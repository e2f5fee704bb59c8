"""The people who are on a list twice. They count once if that is sure; otherwise somebody has to answer."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from clubs.matching.found import NEW, OUT, SAME, LineState, MatchRow
from clubs.names import licence_key, words_of
from clubs.roster import Doubt, NameOrder, RosterError, RosterLine, are_first_names, is_turned, read_line

Words = tuple[str, ...]


class EarlierRows:
    """The rows of the earlier lines, found by player or by the words of a name."""

    def __init__(self) -> None:
        self.by_player: dict[int, MatchRow] = {}
        self.by_words: dict[Words, list[MatchRow]] = defaultdict(list)
        self.by_licence: dict[str, MatchRow] = {}

    def keep(self, row: MatchRow) -> None:
        if row.suggested is not None:
            self.by_player.setdefault(row.suggested, row)
        if row.line and row.line.licence:
            self.by_licence.setdefault(licence_key(row.line.licence), row)
        self.by_words[words_in(row.line)].append(row)

    def find_holder(self, row: MatchRow) -> MatchRow | None:
        """Return the earlier row of another name that has the licence of this row, unless the row's player is known."""
        if row.line is None or not row.line.licence or row.suggested is not None:
            return None
        holder = self.by_licence.get(licence_key(row.line.licence))
        return holder if holder and words_in(holder.line) != words_in(row.line) else None

    def find_twin(self, row: MatchRow) -> MatchRow | None:
        """Return the earlier row that may be the same person, or None.

        It means the same player, or has the same words and no different licence.
        """
        if row.suggested is not None:
            return self.by_player.get(row.suggested)
        licence = licence_key(row.line.licence) if row.line else ""
        found = [each for each in self.by_words[words_in(row.line)] if each.suggested is None and each.line]
        same = [each for each in found if each.line and licence_key(each.line.licence) == licence]
        one_bare = [each for each in found if each.line and not (each.line.licence and licence)]
        return next(iter([*same, *one_bare]), None)


def mark_repeated(rows: Iterable[MatchRow]) -> Iterator[MatchRow]:
    """Yield the rows. A row is marked if an earlier row has the same person.

    It is an error if it is surely the same person, and a question if it may be another person with the same name. It is
    also a question if a row has the licence of another name. Another person then has no licence.
    """
    seen = EarlierRows()
    paired: set[str] = set()  # keys of rows that were already asked about with a later row
    for row in rows:
        if row.line and (holder := seen.find_holder(row)):
            asked = as_same(holder, replace(row, line=replace(row.line, licence="")), "")
            seen.keep(asked)
            yield asked
            continue
        if row.line is None or (row.suggested is None and row.candidates):
            yield row
            continue
        first = seen.find_twin(row)
        if first is None or (
            first.key in paired and first.line and licence_key(first.line.licence) != licence_key(row.line.licence)
        ):
            if row.likely != OUT:
                seen.keep(row)
            yield row
        elif (likely := ask_about_twin(first, row)) and row.likely != OUT:
            paired.add(first.key)
            seen.keep(row)
            yield as_same(first, row, likely)
        else:
            name = f"{row.line.first_name} {row.line.last_name}".strip()
            error = RosterError("roster_twice", line=row.number, first=first.number, name=name)
            yield replace(row, state=LineState.TWICE, error=error, doubt=None)


def as_same(first: MatchRow, row: MatchRow, likely: str) -> MatchRow:
    """Return the row with the question whether it is the same person as in the earlier row."""
    others = tuple(each for each in row.candidates if each.who.id != first.suggested)
    asked = replace(row, state=LineState.DOUBTFUL, doubt=Doubt.SAME, likely=likely, first=first, suggested=None)
    return replace(asked, candidates=others)


def ask_about_twin(first: MatchRow, row: MatchRow) -> str:
    """Return the likely answer if two rows may be one person or two, or "" if they are surely one person."""
    one, other = first.line, row.line
    if one is None or other is None:
        return ""
    if is_turned(one, other) and are_first_names(other):
        told = all(is_order_told(each) for each in (first, row))
        return NEW if told else SAME
    if bool(one.licence) != bool(other.licence):
        known = {licence_key(each.who.licence) for each in row.candidates if each.who.id == row.suggested}
        return "" if {licence_key(one.licence), licence_key(other.licence)} - {""} <= known else SAME
    return ""


def is_order_told(row: MatchRow) -> bool:
    """Return whether columns, capitals or commas say which part of a name is the family name."""
    return not row.written or all(read_line(row.written, order=order) == row.line for order in NameOrder)


def words_in(line: RosterLine | None) -> Words:
    return tuple(sorted(words_of(f"{line.first_name} {line.last_name}"))) if line else ()
