"""The numbers of a page of rows: which page it is, and how many there are."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class NumberedPage:
    """A page of a list with `total` rows. `number` counts from 1; `size` is the number of rows of a full page."""

    size: ClassVar[int]
    total: int
    number: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def previous(self) -> int:
        return self.number - 1

    @property
    def next(self) -> int:
        return self.number + 1
