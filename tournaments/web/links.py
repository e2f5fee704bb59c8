"""The addresses of the pages of a report. The published report and the director's live report each have their own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.urls import reverse


@dataclass(frozen=True, slots=True)
class Links:
    """The URL names by page (ranking, feuille, etuis, etui, play) and the arguments that all of them take.

    `feuille` takes `entrant` besides, `etui` takes `etui`, `play` takes `play`. A page without a name is not linked.
    `of` is the entrant whose evening is being read, if any. It is added to the address if `evenings` is true: then the
    pages of étuis follow that evening.
    """

    names: Mapping[str, str]
    kwargs: Mapping[str, object] = field(default_factory=dict)
    evenings: bool = False
    # By page, and the argument besides: the address before and after the number that is this argument.
    samples: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def to(self, page: str, *, of: object = None, **more: object) -> str:
        if page not in self.names:
            return ""
        url = self.address(page, **more)
        return f"{url}?of={of}" if of and self.evenings else url

    def address(self, page: str, **more: object) -> str:
        """Return the address of a page. A ranking links to hundreds: they are written by one with 0 for the number."""
        if len(more) != 1:
            return reverse(self.names[page], kwargs={**self.kwargs, **more})
        ((name, number),) = more.items()
        if (page, name) not in self.samples:
            before, _zero, after = reverse(self.names[page], kwargs={**self.kwargs, name: 0}).rpartition("0")
            self.samples[page, name] = before, after
        before, after = self.samples[page, name]
        return f"{before}{number}{after}"
