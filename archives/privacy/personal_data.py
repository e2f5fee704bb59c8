"""The forms of declarations: the personal data of a model, and the period for which a kind of data is kept.

`privacy.everything` has the declarations for all models of the project, `privacy.periods` all periods.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Field, Model, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from tournaments.models import Entrant

Rows = QuerySet[Any, Any]
# Fields that contain the id of a player or an entrant, without a foreign key
NUMBERS_OF: Mapping[str, type[Model]] = {"player": Player, "entrant": Entrant}


class WithholdReason(Enum):
    """The reasons why a field is left out of exports."""

    SECRET = _("passwords, links and codes, and their digests: they give access to what they protect")
    OTHERS = _("other people’s names in what they did or said: that is about them")
    NUMBERS = _("numbers that the site uses to find its own rows")
    FIGURES = _("the figures of everybody in a session: yours are in the files of figures and notes")
    DEVICE = _("the device of a table: nothing records whose it is")
    TWICE = _("what is already in another of the files")
    FEDERATION = _("the federation’s list of licences: it is about people who may never have come")

    @property
    def names_nobody(self) -> bool:
        """True if fields left out for this reason contain no names, or if an erasure deletes their rows by itself."""
        return self not in (WithholdReason.OTHERS, WithholdReason.TWICE)


class Moment(Enum):
    """A time that an erasure writes into a row, where other fields get a fixed value."""

    OF_ERASURE = "that of the erasure, where the row has none yet"


class FileColumn(NamedTuple):
    """A column of an exported file: its heading, and the path to the field, as in a Django query."""

    heading: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """The declaration of one model's personal data. The export has one file for each declaration.

    All paths begin at the model, as in a Django query. `whose`: the paths to the player, person, entrant or account
    that a row is about. A path may also lead to an account's name stored as text, and "" is the row itself. `unless`:
    for a path of `whose`, other paths. It counts only for rows in which all of these are empty. `by`: the
    paths to the account that made the row. `shows`: the columns of the file, as "heading=path", or the path alone if
    both are equal. `guards`: the columns that are left out for a reader who has only a link. `hides`: the fields that
    no export has, each with the reason. `session` and `club`: the paths to the row's session and club, or "".
    `alone`: a path to an entrant does not lead to a whole team, because each row is about one person.

    The other fields say what happens when a person is erased. `goes`: a row is deleted if one of these paths leads to
    the person. `empties`: the new value of each field, in rows that are about the person by `whose`. `frees`: the text
    fields in which a number replaces the person's name, in all clubs of the person. `codes`: the text fields that the
    site fills itself and that never contain a name.
    """

    name: str
    model: str
    title: Promise | str = ""
    whose: tuple[str, ...] = ()
    unless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    shows: str = ""
    guards: tuple[str, ...] = ()
    hides: Mapping[str, WithholdReason] = field(default_factory=dict)
    session: str = ""
    club: str = ""
    alone: bool = False
    goes: tuple[str, ...] = ()
    empties: Mapping[str, Callable[[Any], Any] | str | bool | Moment] = field(default_factory=dict)
    frees: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def rows(self) -> type[Model]:
        return apps.get_model(self.model)

    @property
    def club_path(self) -> str:
        """The path to the club that stores the row, or "" for data that the site stores about an account."""
        return self.club or (f"{self.session}__tournament__club" if self.session else "")

    def columns(self, *, by_link: bool = False) -> list[FileColumn]:
        """Return the columns of the exported file. With `by_link`, the guarded columns are left out.

        If the rows belong to a session, the columns club, tournament, session and date come first.
        """
        file_columns = [FileColumn(*(each.split("=") * 2)[:2]) for each in self.shows.split()]
        if self.session:
            at = self.session
            place = {"club": f"{at}__tournament__club__name", "tournament": f"{at}__tournament__name"}
            place |= {"session": f"{at}__number", "date": f"{at}__date"}
            file_columns = [FileColumn(*each) for each in place.items()] + file_columns
        elif self.club:
            file_columns = [FileColumn("club", f"{self.club}__name"), *file_columns]
        return [each for each in file_columns if not (by_link and each.path in self.guards)]


@dataclass(frozen=True, slots=True)
class ExpiryStep:
    """A step of the daily job.

    `due` returns the rows that are due at a moment; `end` deletes or empties a batch of rows.

    The job locks the rows of a batch before it calls `end`.
    """

    due: Callable[[dt.datetime], Rows]
    end: Callable[[Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Period:
    """A kind of data: a description, how long it is kept, and why.

    If the site itself deletes the data, `steps` are the steps of the daily job.
    """

    what: Promise
    kept: Promise
    why: Promise
    steps: tuple[ExpiryStep, ...] = ()


def leads_to(column: "Field[Any, Any]") -> Any:
    """Return the model to which the field refers, or None."""
    return column.related_model if column.is_relation else NUMBERS_OF.get(column.name)


def follow(model: type[Model], path: str) -> "tuple[type[Model] | None, Field[Any, Any] | None]":
    """Return the model to which a path leads, and the last field of the path. Both may be None."""
    where: type[Model] | None = model
    column: Any = None
    for step in filter(None, path.split("__")):
        assert where is not None, path
        column = where._meta.get_field(step)
        where = leads_to(column)
    return where, column
