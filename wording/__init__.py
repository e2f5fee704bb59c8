"""The texts for people that code without Django needs. Each has a code for programs and an English text.

Only the standard library is used. The English text is the message id of the translation. `makemessages` finds it
because of `gettext_noop` and `Plural`. The code that shows a message translates it (`tournaments.words.messages.say`).
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


class QuotedText(str):
    """A text that somebody typed, in English quotation marks, as a message shows it.

    The code that shows a message replaces the marks by those of the reader's language.
    """

    __slots__ = ()

    @property
    def typed(self) -> str:
        """The text without the quotation marks."""
        return self[1:-1]


def quote(typed: str) -> QuotedText:
    """Return the text in English quotation marks."""
    return QuotedText(f"“{typed}”")


def gettext_noop(text: str) -> str:
    """Return the text unchanged, marked for translators."""
    return text


class CodedText:
    """A text for people, as a `code` and `params`. The `messages` of its class have the English text of each code.

    `str` returns that text with the params filled in, on one line. A class inherits the messages of its bases. A code
    without a text raises KeyError.
    """

    __slots__ = ()

    code: str
    params: Mapping[str, Any]
    messages: ClassVar[Texts] = {}

    @property
    def text(self) -> Text:
        """The English text of the code, without the params filled in."""
        for kind in type(self).__mro__:
            texts: Texts = vars(kind).get("messages", {})
            if self.code in texts:
                return texts[self.code]
        raise KeyError(f"no message for {type(self).__name__} {self.code!r}")

    @property
    def told(self) -> dict[str, Any]:
        """The values that are filled into the text: the params and, if there is one, the `field` at fault."""
        return {"field": getattr(self, "field", "")} | dict(self.params)

    def __str__(self) -> str:
        text, values = self.text, self.told
        if isinstance(text, Plural):
            text = text.one if values[text.by] == 1 else text.other
        return " ".join((text % values).splitlines())


class CodedError(CodedText, ValueError):
    """The error of pure code for a value that it cannot use. `params` are the figures of its message."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code, self.params = code, params
        super().__init__(code, params)


class Refusal(CodedText, Exception):
    """An error for a change that is refused. `str` puts the code before the text, for logs."""

    def __init__(self, code: str, field: str = "", **params: Any) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(code, field, params)

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"
