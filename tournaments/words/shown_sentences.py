"""How a person is shown in public, in words: the three choices with an example, what each means, who chose last."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.models import Player, Shown, ShownWord
from clubs.shown import call_as, newest_word, privacy, said_of

MEANINGS: Mapping[str, str | Promise] = {
    Shown.NAME: gettext_lazy("Rankings and files have the name, and a page gathers what was published."),
    Shown.INITIALS: gettext_lazy(
        "Rankings and files have the initials; no page gathers what was published, no search finds it."
    ),
    Shown.HIDDEN: gettext_lazy("These words stand everywhere; only the sessions of one tournament still go together."),
}
WAYS: Mapping[str, str | Promise] = {
    ShownWord.Way.ACCOUNT: gettext_lazy("by the player, logged in"),
    ShownWord.Way.LINK: gettext_lazy("by the player’s own link"),
    ShownWord.Way.DIRECTOR: gettext_lazy("by a director"),
    ShownWord.Way.JOINED: gettext_lazy("when two were found to be one person"),
    ShownWord.Way.PARTED: gettext_lazy("when one person was found to be two"),
}


class Choice(NamedTuple):
    """One way of being shown: what then stands for the player, whether it is so, whether the reader may choose it."""

    shown: Shown
    example: str
    meaning: str
    is_now: bool
    may: bool


class Choices(NamedTuple):
    """`word` is what counts, None where nobody has said anything; `how` is in which way it was said."""

    player: Player
    choices: list[Choice]
    word: ShownWord | None
    how: str

    @property
    def now(self) -> Choice:
        return next(choice for choice in self.choices if choice.is_now)

    @property
    def bound(self) -> bool:
        """Whether the player's own word leaves something to the player alone."""
        return not all(choice.may for choice in self.choices)


def choices_of(player: Player, *, own: bool) -> Choices:
    """For the player himself or, not `own`, for a director. Three queries beside the person's."""
    person, word = player.person, newest_word(player.person)
    least = -1 if own else privacy(said_of(person).least)
    choices = [
        Choice(each, call_as(player, each), str(MEANINGS[each]), each == person.shown, each.privacy >= least)
        for each in Shown
    ]
    return Choices(player, choices, word if word and word.shown else None, str(WAYS[word.way]) if word else "")
