"""The addresses of the pages of a report: those of a published report, or those of the director's unpublished one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.urls import reverse


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of a report's pages.

    `names` has the URL name of each page (ranking, feuille, etuis, etui, play); a page that is missing gets no link.
    `kwargs` are the arguments that all of these addresses take. In addition, `feuille` takes the argument `entrant`,
    `etui` takes `etui`, and `play` takes `play`. If `evenings` is true, an address can name the entrant `of` whose
    evening is read. The page of an étui then leads to the étuis that this entrant played before and after it.
    """

    names: Mapping[str, str]
    kwargs: Mapping[str, object] = field(default_factory=dict)
    evenings: bool = False
    # By (page, name of the further argument): the parts of the address before and after that argument, a number.
    samples: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def to(self, page: str, *, of: object = None, **more: object) -> str:
        if page not in self.names:
            return ""
        url = self.address(page, **more)
        return f"{url}?of={of}" if of and self.evenings else url

    def address(self, page: str, **more: object) -> str:
        """Return the address of a page.

        A ranking has hundreds of such links, and `reverse` is slow. So it is called once with the number 0, and other
        numbers are put in the place of the 0.
        """
        if len(more) != 1:
            return reverse(self.names[page], kwargs={**self.kwargs, **more})
        ((name, number),) = more.items()
        if (page, name) not in self.samples:
            before, _zero, after = reverse(self.names[page], kwargs={**self.kwargs, name: 0}).rpartition("0")
            self.samples[page, name] = before, after
        before, after = self.samples[page, name]
        return f"{before}{number}{after}"
