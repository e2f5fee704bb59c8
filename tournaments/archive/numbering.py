"""The numbers of an archive: those of each model count from 1, in the order in which the rows were made."""

from bisect import bisect_right
from collections.abc import Iterable

from tournaments.archive.shapes import Mention


class RowNumbers:
    """The number that each row of the site has in the archive, by model.

    A row that is mentioned and does not exist any more, such as a play that a change took out of the plan, gets a
    number after those of the rows that exist.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, dict[int, int]] = {}
        self.there: dict[str, list[int]] = {}

    def count(self, model: str, ids: Iterable[int]) -> None:
        """Give numbers to the rows of a model, in the order of their ids."""
        self.there[model] = sorted(ids)
        self.numbers[model] = {pk: number for number, pk in enumerate(self.there[model], start=1)}

    def name_alike(self, model: str, ids: dict[int, int]) -> None:
        """Give rows the numbers of other rows: merged players that of the player who remains."""
        self.numbers.setdefault(model, {}).update({pk: self.numbers[model][other] for pk, other in ids.items()})

    def find(self, mention: Mention) -> int:
        """Return the number of a row. For the newest row of some moment, return that of the newest one still there."""
        if mention.newest:
            return bisect_right(self.there[mention.model], mention.number)
        known = self.numbers[mention.model]
        if mention.number not in known:
            known[mention.number] = max(known.values(), default=0) + 1
        return known[mention.number]
