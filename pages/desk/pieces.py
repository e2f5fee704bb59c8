"""The changing part of the desk in pieces. A page that asks for news gets only the pieces that have changed.

A piece is the HTML of one element, for example of a cell in the grid. Each drawn desk has a name (`held`), which is a
digest of all its pieces. The site caches the digest of each piece under that name. The page sends the name back when it
asks for news. If the name is still in the cache and the frame around the pieces has not changed, the answer has only
the pieces that differ. Otherwise the answer has the whole changing part. The name depends only on what was drawn. So
the answer is right whatever other processes have drawn in between.
"""

import hashlib
import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.cache import caches
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override
from redis.exceptions import RedisError

from evenings.plans.free.laying import find_stride
from evenings.plays.desk_state import DeskPlay
from evenings.plays.free import find_shown_number
from pages.desk.progress import Progress, ShownCell
from pages.doors import session_url
from tournaments.words.rulings import say_doubt
from tournaments.words.stamps import make_stamp

logger = logging.getLogger(__name__)

KEPT = 900  # seconds in the cache; a page that asks later gets the whole changing part
OF_ALL = ("calls", "away", "status", "legend", "missing")
OF_EVERYTHING = ("positions",)  # these pieces are drawn only if no filter is on
OF_DIRECTORS = ("after", "filters", "look", "annulled", "standings")
HELD = re.compile(r"[0-9a-f]{24}")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')  # Django writes another token each time


class Pieces:
    """The pieces of a desk as drawn now. `context` is that of `desk/_progress.html`, without its pieces."""

    def __init__(self, request: HttpRequest, context: Mapping[str, Any]) -> None:
        progress: Progress = context["progress"]
        self.progress = progress
        self.drawn: dict[str, SafeString] = {}
        sample, language = session_url("play", progress.session, 0), get_language() or ""
        stride, bulk = find_stride(progress.session), session_url("bulk", progress.session)
        to_look_at = [draw_line(LookLine.of(each, stride), sample, language) for each in progress.first_to_look_at]
        given = {**context, "to_look_at": to_look_at}
        for name in OF_ALL + OF_EVERYTHING * (not progress.only) + OF_DIRECTORS * progress.directs:
            drawn = render_to_string(f"desk/pieces/{name}.html", given, request)
            self.drawn[f"desk-{name}"] = mark_safe(drawn.strip())
        for row in progress.grid:
            for cell in filter(None, row.cells):
                self.drawn[id_of(cell.position, cell.table)] = draw_cell(cell.shown, sample, bulk, language)

    def __getitem__(self, name: str) -> SafeString:
        return self.drawn[name if name in self.drawn else f"desk-{name}"]

    @cached_property
    def frame(self) -> str:
        """A digest of everything around the pieces: the rows and cells of the grid, and the filter."""
        shown = self.progress
        rows = [
            (row.position, row.shown, [cell and (cell.table, cell.faint) for cell in row.cells]) for row in shown.grid
        ]
        return make_stamp("frame", shown.directs, shown.only, shown.session.position, shown.tables, rows)

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each piece by the id of the element that holds it. The digest of the frame has the key ""."""
        return {"": self.frame} | {name: digest(piece) for name, piece in self.drawn.items()}

    @cached_property
    def held(self) -> str:
        """The name of a desk with exactly these pieces: a digest of 24 hexadecimal digits."""
        return hashlib.blake2b(repr(sorted(self.digests.items())).encode(), digest_size=12).hexdigest()

    def keep(self) -> str:
        """Cache the digests under the desk's name, and return the name."""
        ask_cache("set", key(self.held), self.digests, KEPT)
        return self.held

    def changed_since(self, held: str) -> list[tuple[str, SafeString]] | None:
        """Return (id of the element, HTML) for each piece that differs from the desk with that name.

        Return None if the whole changing part must be sent.
        """
        before = ask_cache("get", key(held)) if HELD.fullmatch(held) else None
        if before is None or before[""] != self.frame or before.keys() != self.digests.keys():
            return None
        return [(name, piece) for name, piece in self.drawn.items() if before[name] != self.digests[name]]


def id_of(position: int, table: int) -> str:
    return f"cell-{position}-{table}"


# In a large hall, few cells differ from one request of the desk to the next.
@lru_cache(maxsize=4_096)
def draw_cell(shown: ShownCell, sample: str, bulk: str, language: str) -> SafeString:
    """Return the cell as HTML, cached. `sample` is the address of play 0; other addresses are made from it."""
    given = {"cell": shown, "address": sample.removesuffix("0/"), "bulk": bulk}
    with override(language):
        drawn = render_to_string("desk/_cell.html", given)
    return mark_safe(drawn.strip())


class LookLine(NamedTuple):
    """The values that the desk shows of a play that waits for the director. `said` is the reason, in figures."""

    play: int
    etui: int
    position: int
    table: int
    state: str
    is_deal: bool
    said: str

    @classmethod
    def of(cls, each: DeskPlay, stride: int) -> "LookLine":
        number = find_shown_number(each.play, stride)
        said = say_doubt(each.doubts[0]) if each.doubts else ""
        return cls(each.pk, number, each.position, each.table, each.state, not each.play.etui.dealer, said)


@lru_cache(maxsize=1_024)
def draw_line(line: LookLine, sample: str, language: str) -> SafeString:
    """Return the line as HTML, cached. `sample` is the address of play 0; other addresses are made from it."""
    with override(language):
        return mark_safe(render_to_string("desk/_look_line.html", {"line": line, "address": sample.removesuffix("0/")}))


@lru_cache(maxsize=4_096)
def digest(piece: str) -> str:
    return hashlib.blake2b(TOKEN.sub("", piece).encode(), digest_size=6).hexdigest()


def key(held: str) -> str:
    return f"desk-{held}"


def ask_cache(question: str, *about: Any) -> Any:
    """Call the cache's method `question` and return its result. Return None if the cache is down."""
    try:
        return getattr(caches["pages"], question)(*about)
    except RedisError:
        logger.warning("the cache is down: desks are sent whole")
        return None
