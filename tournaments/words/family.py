"""The sentences of one class of errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Family:
    """The sentences of one class of errors by code; `kinds` names the label that a parameter is shown by."""

    texts: Mapping[str, str | Promise]
    kinds: Mapping[str, str] = field(default_factory=dict)
