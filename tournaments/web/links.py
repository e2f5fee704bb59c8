"""Where the pages of one report lie: the published report and the director's live one have addresses of their own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.urls import reverse


@dataclass(frozen=True, slots=True)
class Links:
    """URL names by page (ranking, feuille, boards, board, play) and the arguments that all of them take.

    `feuille` takes `entrant` besides, `board` takes `etui`, `play` takes `play`. A page without a name is not linked.
    `of`: the entrant whose evening is being read, if it is somebody's, where the pages of étuis follow `evenings`.
    """

    names: Mapping[str, str]
    kwargs: Mapping[str, object] = field(default_factory=dict)
    evenings: bool = False

    def to(self, page: str, *, of: object = None, **more: object) -> str:
        if page not in self.names:
            return ""
        url = reverse(self.names[page], kwargs={**self.kwargs, **more})
        return f"{url}?of={of}" if of and self.evenings else url
