"""The table of the kinds of published rankings and of their media: each cell is asked for and read."""

import datetime as dt
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, Person, Player, Visibility
from clubs.shown import update_visibility
from outgoing.paper.ranking import PinnedHeading
from pages import ranking_pages
from pages.public import all_kinds
from rankings.listing import KINDS_BY_NAME, read_all_podiums
from tests.outgoing.paper.test_pdf import flat
from tests.outgoing.workbooks import SPREADSHEET, text_of_workbook
from tests.pages.reading import words
from tests.rankings.all_kinds import FIELD, KINDS, SERIES, SESSION, TOURNAMENT, AllKinds, make_all_kinds
from tournaments.models import Version

pytestmark = pytest.mark.django_db
FRENCH = {"Accept-Language": "fr"}
# The addresses of the media of each kind: the page, its versions, the version's picture, PDF and files, and the frame.
ADDRESSES = {
    SESSION: ("ranking", "versions", "podium", "ranking_pdf", "published_file", "ranking_embedded"),
    TOURNAMENT: (
        "tournament_ranking",
        "tournament_versions",
        "tournament_podium",
        "tournament_pdf",
        "tournament_file",
        "tournament_embedded",
    ),
    SERIES: ("series", "series_versions", "series_podium", "series_pdf", "series_file", "series_embedded"),
    FIELD: ("field", "field_versions", "field_podium", "field_pdf", "field_file", "field_embedded"),
}
PAGE, VERSIONS, PICTURE, PDF, FILE, FRAME = range(6)
OF_A_VERSION = {(SESSION, PICTURE), (SESSION, PDF), (SESSION, FILE), (TOURNAMENT, PICTURE), (TOURNAMENT, PDF)} | {
    (TOURNAMENT, FILE), (FIELD, PICTURE), (FIELD, PDF),
}  # fmt: skip
BY = {SESSION: "line", TOURNAMENT: "category", SERIES: "category", FIELD: "W"}


@pytest.fixture(scope="module")
def world(rows_of_the_file: None) -> AllKinds:
    return make_all_kinds()


@pytest.fixture(autouse=True)
def _cold() -> None:
    caches["pages"].clear()


def get(world: AllKinds, kind: str, medium: int, query: str = "") -> Any:
    more = [1] if (kind, medium) in OF_A_VERSION else []
    answer = Client(headers=FRENCH).get(world.page(ADDRESSES[kind][medium], kind, *more) + query)
    assert answer.status_code == 200, (kind, medium)
    return answer


def find_version(world: AllKinds, kind: str) -> Version:
    model = KINDS_BY_NAME[kind].model
    found = model._default_manager.all()
    return found.get(session=world.places["session"]) if kind == SESSION else found.get()


def first_of(world: AllKinds, kind: str) -> str:
    """Return the name of the first player of a ranking, as everybody sees it."""
    version = find_version(world, kind)
    return str(read_all_podiums([version])[version][0].name)


def file_of(world: AllKinds, kind: str, form: str) -> Any:
    return get(world, kind, FILE, f"?table=ranking&kind={form}")


def has_podium(world: AllKinds, kind: str) -> None:
    firsts = re.search(r'<ol class="firsts.*?</ol>', get(world, kind, PAGE).text, re.DOTALL)
    assert firsts is not None
    assert first_of(world, kind) in firsts[0]


def has_orders(world: AllKinds, kind: str) -> None:
    page = get(world, kind, PAGE).text
    asked = re.findall(r'href="\?sort=([a-z0-9-]+)#list"', page[page.index("Trier par") :])
    assert asked
    assert words(get(world, kind, PAGE, f"?sort={asked[0]}")) != words(get(world, kind, PAGE))


def has_address_and_digest_in_print(world: AllKinds, kind: str) -> None:
    printed = re.search(r'<p class="print-only quiet">(.*?)</p>', get(world, kind, PAGE).text, re.DOTALL)
    assert printed is not None
    assert find_version(world, kind).digest[:16] in printed[1]
    assert world.club.slug in printed[1]


def has_pdf(world: AllKinds, kind: str) -> None:
    text = flat(get(world, kind, PDF).content)
    assert first_of(world, kind).split()[0] in text
    assert "Version 1" in text
    assert world.club.slug in text  # the address


def has_files(world: AllKinds, kind: str) -> None:
    name = first_of(world, kind)
    assert name in file_of(world, kind, "csv").content.decode("utf-8-sig")
    assert name in text_of_workbook(file_of(world, kind, "xlsx").content)
    assert name in json.dumps(json.loads(file_of(world, kind, "json").content), ensure_ascii=False)
    assert file_of(world, kind, "xlsx")["Content-Type"] == SPREADSHEET


def has_frame(world: AllKinds, kind: str) -> None:
    frame = get(world, kind, FRAME)
    assert first_of(world, kind) in words(frame)
    assert "form-action 'none'" in frame["Content-Security-Policy"]


def has_versions(world: AllKinds, kind: str) -> None:
    text = words(get(world, kind, VERSIONS))
    assert "Version 1" in text
    assert "La première publication" in text


def has_feed_entry(world: AllKinds, kind: str) -> None:
    feed = Client(headers=FRENCH).get(reverse("club_feed", args=[world.club.slug])).text
    place = KINDS_BY_NAME[kind].place(find_version(world, kind))
    entry = next(each for each in feed.split("<entry>") if f"{place.version}" in each or f"{place.page}" in each)
    assert first_of(world, kind) in entry


MEDIA: dict[str, Callable[[AllKinds, str], None]] = {
    "podium": has_podium,
    "orders": has_orders,
    "print": has_address_and_digest_in_print,
    "PDF": has_pdf,
    "files": has_files,
    "frame": has_frame,
    "versions": has_versions,
    "feed": has_feed_entry,
}


CELLS = [
    pytest.param(medium, kind, marks=pytest.mark.nightly("print") if medium == "PDF" else (), id=f"{kind}-{medium}")
    for medium in MEDIA
    for kind in KINDS
]


@pytest.mark.parametrize(("medium", "kind"), CELLS)
def test_ranking_of_each_kind_stands_in_each_medium(world: AllKinds, medium: str, kind: str) -> None:
    MEDIA[medium](world, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_frame_of_each_kind_shows_another_order_and_a_part(
    world: AllKinds, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, other = words(get(world, kind, FRAME)), words(get(world, kind, FRAME, f"?by={BY[kind]}"))
    assert (whole == other) == (BY[kind] == "category")  # nobody has a category here
    monkeypatch.setattr(ranking_pages, "A_PART", 3)
    first, second = (words(get(world, kind, FRAME, f"?part={part}")) for part in (1, 2))
    assert first != second
    assert "Joueurs 4 à 6" in second


@pytest.mark.parametrize("kind", KINDS)
def test_pdf_of_each_kind_tells_the_hour_of_the_club(
    world: AllKinds, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def print_heading(heading: PinnedHeading, *_more: Any, **_language: Any) -> bytes:
        told.extend(heading.notes)
        return b"%PDF-"

    monkeypatch.setattr(all_kinds, "set_ranking", print_heading)
    version = find_version(world, kind)
    type(version)._default_manager.update(published_at=dt.datetime(2026, 11, 20, 22, 30, tzinfo=dt.UTC))
    Club.objects.filter(pk=world.club.pk).update(time_zone="America/Guadeloupe")
    get(world, kind, PDF)
    assert "Version 1, publiée le 20 novembre 2026 à 18:30." in told


@pytest.mark.parametrize("kind", KINDS)
def test_picture_of_each_kind_names_nobody_who_is_hidden_or_young(
    world: AllKinds, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(_heading: Any, steps: Any, **_more: Any) -> bytes:
        drawn.extend(each.name for each in steps)
        return b"\x89PNG"

    monkeypatch.setattr(all_kinds, "draw_podium", draw)
    hide_first_and_make_others_young(world, kind)
    answer: HttpResponse = get(world, kind, PICTURE)
    frame, feed = get(world, kind, FRAME), Client().get(reverse("club_feed", args=[world.club.slug]))
    assert answer["Content-Type"] == "image/png"
    assert "Joueur masqué" in drawn
    assert any(re.fullmatch(r"\w\. ?Z\.", name) for name in drawn), drawn
    for text in (" ".join(drawn), frame.text, feed.text):
        assert "Zinzolin" not in text


def hide_first_and_make_others_young(world: AllKinds, kind: str) -> None:
    """Hide the first player of a ranking, and let the others near the podium be juniors without a wish."""
    rows = sorted(find_version(world, kind).data["players"], key=lambda row: row.get("rank") or row.get("rank_general"))
    players = [Player.objects.get(pk=row["player"]) for row in rows[:4]]
    for player in players:
        player.last_name, player.category = f"Zinzolin{player.pk}", Player.Category.JUNIOR
        player.save()
    update_visibility(*(player.person for player in players[1:]))
    Person.objects.filter(pk=players[0].person_id).update(shown=Visibility.HIDDEN)


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.parametrize("kind", [*KINDS, "series under way"])
def test_later_read_of_the_page_of_each_kind_takes_one_query(world: AllKinds, kind: str) -> None:
    if kind not in KINDS:
        kind = SERIES
        find_version(world, kind).delete()
    reader, address = Client(headers=FRENCH), world.page(ADDRESSES[kind][PAGE], kind)  # its process remembers pages
    first = reader.get(address)
    with CaptureQueriesContext(connection) as asked:
        again = reader.get(address)
    assert again.content == first.content
    assert len(asked) <= 1
