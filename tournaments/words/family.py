"""The class `Family`: sentences of one kind by their codes, and how their params are shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Family:
    """The sentences of one kind, such as the questions about a result, by their codes.

    `kinds` has the kind of label for each param of the sentences, by the param's name. For example, a param of the kind
    "contract" is shown as the name of a contract.
    """

    texts: Mapping[str, str | Promise]
    kinds: Mapping[str, str] = field(default_factory=dict)
