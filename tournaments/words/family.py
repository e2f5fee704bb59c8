"""A family of sentences for one class of codes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Family:
    """The sentences of one class of codes. `kinds`: the kind of label that shows a parameter, by its name."""

    texts: Mapping[str, str | Promise]
    kinds: Mapping[str, str] = field(default_factory=dict)
