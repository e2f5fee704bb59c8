"""The secrecy of cards: in every version, no stranger reaches a card on a page, by the API or in a file too early.

A card is public only once the director has switched cards on.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from api.urls import urlpatterns
from deals.sets import seal_deal_set
from evenings.plans.starting import start_session
from evenings.requests.links import ensure_links
from rankings.publication.etuis import records
from rankings.publication.publishing import SESSIONS, Terms, read_open, switch_parts
from rankings.publication.report import read_in_public
from tests.deals.exports.test_pdf import flat
from tests.evenings.tables.phones import tokens_of
from tests.factories import draft_session, enter_all, make_director
from tests.outgoing.workbooks import SPREADSHEET, text_of_workbook
from tests.pages.reading import read
from tests.rankings.publication.test_publishing import correct_first
from tournaments.models import Session
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
ELSEWHERE = re.compile(r"/(login|logout|account|language|api|rules|static)\b")


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    caches["pages"].clear()


@pytest.fixture
def session():
    """Return a session that is played to the end and not published, whose cards nobody has seen."""
    session = draft_session(cards=True)
    seal_deal_set(deal_set=session.deal_set, now=timezone.now())
    make_director(session.tournament.club)
    start_session(session_id=session.pk, now=timezone.now())
    session = Session.objects.select_related("tournament__club", "deal_set").get(pk=session.pk)
    enter_all(session, by=director_of(session))
    return session


def director_of(session):
    return session.tournament.club.memberships.get(role="director").user


def publish(session, reason="", **switches):
    word = DirectorWord(director_of(session), timezone.now(), reason)
    return SESSIONS.publish(session.pk, word, Terms(Shows(**switches) if switches else None))


def say(session, reason=""):
    return DirectorWord(director_of(session), timezone.now(), reason)


def show(session, **switches):
    switch_parts(session_id=session.pk, shows=Shows(**switches), word=say(session))


def crawl(client: Client, *begin: str) -> dict[str, str]:
    """Return the text of every page that links lead to, by address.

    Pages that differ only in the number of an étui count as one.
    """
    found, waiting, seen = {}, list(begin), {alike(url) for url in begin}
    while waiting:
        url = waiting.pop()
        answer = client.get(url, follow=True)
        found[url] = text_of_file(answer)
        if "text/html" in answer["Content-Type"]:
            links = {link.split("#")[0] for link in read(answer).links if link.startswith("/")}
            for link in sorted(link for link in links if not ELSEWHERE.match(link)):
                if alike(link) not in seen:
                    seen.add(alike(link))
                    waiting.append(link)
    return found


def text_of_file(answer: Any) -> str:
    """Return the text of an answer: of a page, a table of data, a PDF or a workbook."""
    kind = answer["Content-Type"]
    if kind.startswith("application/pdf"):
        return flat(answer.content)
    return text_of_workbook(answer.content) if kind == SPREADSHEET else answer.content.decode()


def alike(url: str) -> str:
    return re.sub(r"\?of=\d+$", "?of", url)


def doors_of(session: Session) -> Iterator[str]:
    """Yield every address of the API that is about the session, for its first three versions."""
    things = {"plays": session.plays.first().pk, "tournaments": session.tournament_id, "sessions": session.pk}
    named = {"slug": session.tournament.club.slug, "entrant": session.entrants.first().pk}
    for pattern in urlpatterns:
        route = str(pattern.pattern)
        if "<path:" in route or "docs" in route:
            continue
        for version in (1, 2, 3):
            parts = named | {"version": version, "pk": things.get(route.partition("/")[0], 1)}
            yield "/api/v1/" + re.sub(r"<\w+:(\w+)>", partial(fill, parts), route)


def fill(parts: Mapping[str, object], part: re.Match[str]) -> str:
    return str(parts.get(part[1], 1))


def everything(session: Session) -> dict[str, str]:
    """Return everything that a stranger, a player with a personal link and a table's phone can read, by address."""
    place, now = session.tournament, timezone.now()
    where = (place.club.slug, place.slug, session.number)
    begin = [reverse("home"), reverse("club", args=where[:1]), reverse("ranking", args=where)]
    begin += [reverse("verify_set", args=[session.deal_set.commitment])]
    for version in session.publications.values_list("version", flat=True):
        begin += [
            reverse(name, args=(*where, version)) for name in ("ranking_version", "published_etuis", "results_csv")
        ]
        begin += [reverse("published_etui", args=(*where, version, 1))]
    begin += [reverse("personal", args=[link.token]) for link in list(ensure_links(session, now=now).values())[:2]]
    begin += [
        f"{reverse('table_state', args=[token])}?device=telephone" for token in [*tokens_of(session).values()][:1]
    ]
    client = Client(headers={"accept-language": "en"})
    return crawl(client, *begin) | {url: text_of_file(client.get(url)) for url in set(doors_of(session))}


def shows_cards(session: Session) -> set[str]:
    """Return the addresses at which a card can be read, and “hand records” if the printed hand records have one."""
    texts = [hand for etui in session.deal_set.etuis.all() for hand in etui.cards.split() if len(hand) > 12]
    secrets = [*texts, session.deal_set.seed]
    found = {
        url
        for url, text in everything(session).items()
        if 'class="hand"' in text or any(secret in text for secret in secrets)
    }
    shown = read_open(session)
    printed = records(read_in_public(shown)) if shown else []
    return found | {"hand records" for etui in printed if etui.deal is not None}


def test_no_card_is_reached_before_its_switch_in_whatever_version(session):
    assert shows_cards(session) == set()
    publish(session, cards=False)
    assert shows_cards(session) == set()
    correct_first(session, director_of(session))
    publish(session)
    SESSIONS.make_official(session.pk, word=say(session))
    assert session.publications.count() == 3
    assert shows_cards(session) == set()
    show(session, cards=False, etuis=False)
    assert shows_cards(session) == set()


def test_switch_shows_them_in_every_version_and_takes_them_off_again(session):
    publish(session, cards=False)
    show(session)
    found = shows_cards(session)
    etui_pages = {url for url in found if re.search(r"/ranking/1/etuis/\d+/$", url)}
    assert len(etui_pages) == session.deal_set.etuis.count()
    assert "hand records" in found
    assert f"/api/v1/sessions/{session.pk}/publications/latest/" in found
    show(session, cards=False)
    assert shows_cards(session) == set()


def test_ranking_taken_back_shows_none(session):
    publish(session)
    assert shows_cards(session)
    SESSIONS.withdraw(session.pk, word=say(session, "x"))
    assert shows_cards(session) == set()


@pytest.mark.parametrize(
    ("switches", "told"),
    [
        ({"ranking": False}, r"\branking/\?by=|rank_general\W+\d|Rank, "),
        ({"etuis": False}, r"^kind,version|class=\"table etui-plays\"|\"base_score\":-?\d+,\"marks\""),
        ({"feuilles": False}, r"/ranking/\d+/players/\d+/"),
    ],
)
def test_what_is_off_is_neither_reached_nor_told(session, switches, told):
    publish(session, **switches)
    links = {url for url, text in everything(session).items() if re.search(told, text)}
    own = {url for url in links if url.startswith("/p/")}  # a player's own link leads to that player's own pages
    assert links - own == set()
