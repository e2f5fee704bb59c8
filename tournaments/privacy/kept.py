"""How it is written down what a model keeps of people: which rows are about whom, what of them is handed out, and what
becomes of them when somebody is erased. `everything` has it for each model of the project."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Field, Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Person, Player, User
from tournaments.models import Entrant

PEOPLE = (Player, Person, Entrant, User)
NUMBERS_OF: Mapping[str, type[Model]] = {"player": Player, "entrant": Entrant}  # where a row has the number alone


class Why(Enum):
    """Why a field is not handed out; what `names_nobody` need not be looked through for a name either."""

    SECRET = _("passwords, links and codes, and their digests: they open doors")
    OTHERS = _("who else did or said something: that is about them")
    NUMBERS = _("numbers by which the site finds its own rows again")
    FIGURES = _("figures of everybody in a session: yours are in the files of figures and notes")
    DEVICE = _("the device of a table: nobody keeps whose it is")
    TWICE = _("what stands in another of the files already")

    @property
    def names_nobody(self) -> bool:
        return self not in (Why.OTHERS, Why.TWICE)


class Column(NamedTuple):
    """Of a file: its heading, and the path to it in the model."""

    heading: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What one model keeps of people: a file of what is handed out.

    `whose`: paths to the player, person, entrant or account that a row is about, to an account's name as text, or ""
    for the row itself. `by`: to the account that made the row. `shows`: its columns, "heading=path" where the two
    differ; those in `guards` are not for who has but a link. `session` and `club`: paths to them, where there is one.

    When somebody is erased, rows to which a path of `goes` leads are deleted; of those that are his by `whose`,
    `empties` says what is in which field from then on; in `frees`, wherever in his clubs, his name becomes a number.
    `codes` are texts that the site has made and that hold no name.
    """

    name: str
    model: str
    title: Promise | str = ""
    whose: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    shows: str = ""
    guards: tuple[str, ...] = ()
    hides: Mapping[str, Why] = field(default_factory=dict)
    session: str = ""
    club: str = ""
    goes: tuple[str, ...] = ()
    empties: Mapping[str, Callable[[Any], Any] | str | bool] = field(default_factory=dict)
    frees: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def rows(self) -> type[Model]:
        return apps.get_model(self.model)

    @property
    def club_path(self) -> str:
        """To the club that keeps the row; "" for what the site keeps of an account."""
        return self.club or (f"{self.session}__tournament__club" if self.session else "")

    def columns(self, *, by_link: bool = False) -> list[Column]:
        """With where and when, where it is about a session."""
        told = [Column(*(each.split("=") * 2)[:2]) for each in self.shows.split()]
        if self.session:
            at = self.session
            place = {"club": f"{at}__tournament__club__name", "tournament": f"{at}__tournament__name"}
            place |= {"session": f"{at}__number", "date": f"{at}__date"}
            told = [Column(*each) for each in place.items()] + told
        elif self.club:
            told = [Column("club", f"{self.club}__name"), *told]
        return [each for each in told if not (by_link and each.path in self.guards)]


def holds_text(column: "Field[Any, Any]") -> bool:
    """Whether a name could stand there."""
    kinds = {"CharField", "TextField", "JSONField", "SlugField", "EmailField", "GenericIPAddressField", "BinaryField"}
    return column.get_internal_type() in kinds and not column.choices


def points_to_people(column: "Field[Any, Any]") -> bool:
    return leads_to(column) in PEOPLE


def leads_to(column: "Field[Any, Any]") -> Any:
    return column.related_model if column.is_relation else NUMBERS_OF.get(column.name)


def follow(model: type[Model], path: str) -> "tuple[type[Model] | None, Field[Any, Any] | None]":
    """Where a path leads: to a model, or to a text of one."""
    where: type[Model] | None = model
    column: Any = None
    for step in filter(None, path.split("__")):
        assert where is not None, path
        column = where._meta.get_field(step)
        where = leads_to(column)
    return where, column
