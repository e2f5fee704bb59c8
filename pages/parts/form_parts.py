"""The forms whose page shows the fields in parts."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.forms import BaseForm, BoundField


class FormInParts(BaseForm):
    """A form whose page shows the fields in parts. PARTS is the only list of the fields of each part."""

    PARTS: ClassVar[Mapping[str, Sequence[str]]]

    @property
    def parts(self) -> dict[str, list[BoundField]]:
        """The fields of each part, without those that the form leaves out."""
        return {part: [self[name] for name in names if name in self.fields] for part, names in self.PARTS.items()}
