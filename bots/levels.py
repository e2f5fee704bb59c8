"""The levels and characters of the bots. The level: how many times a bot draws the hidden hands before it plays a card.

Bots of different characters play the same cards differently, as people do. A character is counted in whole numbers, so
that each machine gets the same cards from the same secret.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from wording import CodedError, Texts
from wording import gettext_noop as _

VERSION = "3"  # of the rules by which bots choose: another version may answer otherwise for the same seed
PLAYERS = 4  # bots play only at tables of four


class BotError(CodedError):
    """The error for an unknown level, or for a table that is not for four players."""

    messages: ClassVar[Texts] = {
        "level": _("“%(found)s” is not a level of the bots. Use one of these: %(known)s."),
        "players": _("Bots play only at tables of four, not of %(found)s."),
    }


class BotLevel(IntEnum):
    """The levels of the bots. The number is how many times the hidden hands are drawn for one card."""

    POLICY = 0
    TEN = 10
    THIRTY = 30
    HUNDRED = 100

    @property
    def title(self) -> str:
        """The name by which commands know the level: `policy`, `10`, `30` or `100`."""
        return str(int(self)) if self else "policy"


def read_level(name: str) -> BotLevel:
    """Return the level with this name. Raise BotError if there is none."""
    for level in BotLevel:
        if level.title == name:
            return level
    raise BotError("level", found=name, known=", ".join(level.title for level in BotLevel))


@dataclass(frozen=True, slots=True)
class Character:
    """The character of a bot.

    `level`: how many times it draws for a card. `bold`: what it adds to the value of its hand in the auction. `soft`:
    base points by which a worse card is chosen half as often. At 0, a bot takes the best card.
    """

    level: BotLevel
    bold: int = 0
    soft: int = 0


# South at a table of bots has the character whose place is the table's number modulo 7.
CHARACTERS = (
    Character(BotLevel.TEN),
    Character(BotLevel.TEN, 2, 4),
    Character(BotLevel.TEN, -2, 4),
    Character(BotLevel.THIRTY),
    Character(BotLevel.TEN, 3, 8),
    Character(BotLevel.POLICY, 1),
    Character(BotLevel.TEN, -1, 8),
)
