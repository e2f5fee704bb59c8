"""What code that knows no language has to say: a code for programs, and one English text of that code for people.

Pure: standard library only. The text is the id of a message: `gettext_noop` and `Plural` have `makemessages` collect
it, and whoever shows it translates it (`tournaments.words.messages.say`).
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple


class Plural(NamedTuple):
    """A text for one and a text for any other number, by the param of that name."""

    one: str
    other: str
    by: str


Text = str | Plural
Texts = Mapping[str, Text]


def gettext_noop(text: str) -> str:
    """The text as it is, marked for translators."""
    return text


class Coded:
    """A `code` with `params`, of a class whose `messages` hold the text of each code.

    `str` is that text in English, on one line. A class says what its bases say, and what its own `messages` add to
    that. `KeyError` on a code without a text.
    """

    __slots__ = ()

    code: str
    params: Mapping[str, Any]
    messages: ClassVar[Texts] = {}

    @property
    def text(self) -> Text:
        """The text of the code, not filled in."""
        for kind in type(self).__mro__:
            texts: Texts = vars(kind).get("messages", {})
            if self.code in texts:
                return texts[self.code]
        raise KeyError(f"no message for {type(self).__name__} {self.code!r}")

    @property
    def told(self) -> dict[str, Any]:
        """What is filled into the text: the params, and the field at fault where the error has one."""
        return {"field": getattr(self, "field", "")} | dict(self.params)

    def __str__(self) -> str:
        text, told = self.text, self.told
        if isinstance(text, Plural):
            text = text.one if told[text.by] == 1 else text.other
        return " ".join((text % told).splitlines())


class Refusal(Coded, Exception):
    """A write that is refused. `str` has the code before the text, for logs."""

    def __init__(self, code: str, field: str = "", **params: Any) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(code, field, params)

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"
