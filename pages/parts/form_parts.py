"""The parts that several forms have: the fields in the parts that a page shows, and the choice of a format."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.forms import BaseForm, BoundField

from scoring.formats import OFFERED
from tournaments.models import Tournament


class FormInParts(BaseForm):
    """A form whose page shows the fields in parts. PARTS is the only list of the fields of each part."""

    PARTS: ClassVar[Mapping[str, Sequence[str]]]

    @property
    def parts(self) -> dict[str, list[BoundField]]:
        """The fields of each part, without those that the form leaves out."""
        return {part: [self[name] for name in names if name in self.fields] for part, names in self.PARTS.items()}


def list_format_choices() -> list[tuple[str, str]]:
    return [(each.word, str(Tournament.FormatName(each.name).label)) for each in OFFERED.values()]
