"""The numbers of rows in an archive. The rows of each model count from 1, in the order in which they were created."""

from bisect import bisect_right
from collections.abc import Iterable

from archives.archive.shapes import Mention


class RowNumbers:
    """The number that each row of the site has in the archive, by model.

    The archive may mention a deleted row, such as a play that a change removed from the plan. Its number comes after
    the numbers of the rows that exist.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, dict[int, int]] = {}
        self.there: dict[str, list[int]] = {}

    def count(self, model: str, ids: Iterable[int]) -> None:
        """Give numbers to the rows of a model, in the order of their ids."""
        self.there[model] = sorted(ids)
        self.numbers[model] = {pk: number for number, pk in enumerate(self.there[model], start=1)}

    def name_alike(self, model: str, ids: dict[int, int]) -> None:
        """Give rows the numbers of other rows: merged players get the number of the player who remains."""
        self.numbers.setdefault(model, {}).update({pk: self.numbers[model][other] for pk, other in ids.items()})

    def find(self, mention: Mention) -> int:
        """Return the number of a row.

        If the newest row of some moment was deleted, return the number of the newest one left.
        """
        if mention.newest:
            return bisect_right(self.there[mention.model], mention.number)
        known = self.numbers[mention.model]
        if mention.number not in known:
            known[mention.number] = max(known.values(), default=0) + 1
        return known[mention.number]
