"""The texts for people that pure code holds: a code for programs, and one English text for each code.

Pure: standard library only. The English text is the message id. `makemessages` collects it because of `gettext_noop`
and `Plural`; the code that shows the message translates it (`tournaments.words.messages.say`).
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple


class Plural(NamedTuple):
    """A text for the number one and a text for every other number. `by` names the param that holds the number."""

    one: str
    other: str
    by: str


Text = str | Plural
Texts = Mapping[str, Text]


def gettext_noop(text: str) -> str:
    """Return the text unchanged, marked for translators."""
    return text


class CodedText:
    """A `code` with `params`. The `messages` of its class hold the text of each code.

    `str` gives that text in English, on one line. A class inherits the messages of its bases and adds its own. Raise
    `KeyError` for a code without a text.
    """

    __slots__ = ()

    code: str
    params: Mapping[str, Any]
    messages: ClassVar[Texts] = {}

    @property
    def text(self) -> Text:
        """The text of the code, with its params not filled in yet."""
        for kind in type(self).__mro__:
            texts: Texts = vars(kind).get("messages", {})
            if self.code in texts:
                return texts[self.code]
        raise KeyError(f"no message for {type(self).__name__} {self.code!r}")

    @property
    def told(self) -> dict[str, Any]:
        """The values that are filled into the text: the params, and the field at fault if the error has one."""
        return {"field": getattr(self, "field", "")} | dict(self.params)

    def __str__(self) -> str:
        text, told = self.text, self.told
        if isinstance(text, Plural):
            text = text.one if told[text.by] == 1 else text.other
        return " ".join((text % told).splitlines())


class Refusal(CodedText, Exception):
    """A write that is refused. `str` puts the code before the text, for logs."""

    def __init__(self, code: str, field: str = "", **params: Any) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(code, field, params)

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"
