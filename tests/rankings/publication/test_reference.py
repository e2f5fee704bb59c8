"""The reference of a session: the page, the picture, the lists of rankings and the hall show the same podium."""

import re
from ast import literal_eval
from html import unescape

import pytest
from django.urls import NoReverseMatch, resolve, reverse
from django.utils import timezone

from evenings.plays.common import read_outcome
from evenings.reference import Reference, find_reference, is_alone
from evenings.sessions.setup import create_session
from jobs import demo
from pages.doors import session_url
from pages.public import all_kinds
from pages.ranking_pages import RankingQuery, ranking_page
from rankings.careers.keeping import refresh
from rankings.kinds import Whose
from rankings.listing import RANKING_KINDS, find_latest_rankings, read_all_podiums
from rankings.publication.order import choose_podium
from rankings.publication.publishing import SESSIONS
from rankings.publication.report import read_report
from registration.cash.prizes import read_ranked
from tests.factories import DATE, make_director, published_session
from tests.pages.browsing import browser_of


@pytest.mark.parametrize(
    ("alone", "has_alterne", "together", "reference", "rank"),
    [
        (True, True, False, Reference.ALTERNE, "rank_alterne"),
        (True, False, False, Reference.GENERAL, "rank_general"),
        (False, True, False, Reference.GENERAL, "rank_general"),
        (False, True, True, Reference.SECTIONS, "rank_general"),
    ],
)
def test_the_alterne_is_the_reference_of_a_single_session(alone, has_alterne, together, reference, rank):
    found = find_reference(alone=alone, has_alterne=has_alterne, together=together)
    assert (found, found.rank) == (reference, rank)


@pytest.mark.nightly("story")
@pytest.mark.django_db
def test_every_podium_of_a_session_is_that_of_its_reference(monkeypatch):
    monkeypatch.setattr(all_kinds, "draw_podium", lambda _heading, steps, **_more: repr([each.name for each in steps]))
    monkeypatch.setattr(all_kinds, "set_ranking", lambda _heading, rows, **_more: rows)
    monkeypatch.setattr(all_kinds, "pin", lambda page: page["by"])
    session = published_session()
    publication = session.publications.get()
    for reference in ("alterne", "general"):
        places = [(step.rank, step.name) for step in SESSIONS.podiums([publication])[publication.pk]]
        assert [(step.rank, step.name) for step in read_all_podiums([publication])[publication]] == places
        assert read_outcome(session.pk).reference == f"rank_{reference}"
        public = browser_of().get(session_url("ranking", session))
        own = browser_of(make_director(session.tournament.club, reference)).get(session_url("standings", session))
        for page in (public, own):
            assert re.findall(r'by=(\w+)"\s+aria-current="page"', page.content.decode()) == [reference]
        page = ranking_page(read_report(publication.data), RankingQuery(), alone=is_alone(session))
        assert [(row.rank, row.player.name) for row in page["podium"]] == places
        people, names = read_ranked(read_report(publication.data), alone=is_alone(session))
        firsts = sorted(people, key=lambda person: person.rank)[: len(places)]
        assert {(person.rank, names[person.person]) for person in firsts} == set(places)
        place = [session.tournament.club.slug, session.tournament.slug, session.number]
        stranger = browser_of()
        for shape, shown in (("podium", repr([name for _rank, name in places])), ("ranking_pdf", reference)):
            assert stranger.get(reverse(shape, args=[*place, 1])).content.decode() == shown
        assert stranger.get(reverse("ranking_embedded", args=place)).context["by"] == reference
        create_session(tournament=session.tournament, date=DATE, positions=4, etuis_per_position=4)


# The addresses of a ranking's picture, frame and PDF, by its kind.
MEDIA = {
    "session": ("podium", "ranking_embedded", "ranking_pdf"),
    "tournament": ("tournament_podium", "tournament_embedded", "tournament_pdf"),
    "series": ("series_podium", "series_embedded", "series_pdf"),
    "field": ("field_podium", "field_embedded", "field_pdf"),
}


def find_address(name, version_page):
    """Return the address of a medium of this version, or of the newest one if the medium has no version."""
    kwargs = resolve(version_page).kwargs
    try:
        return reverse(name, kwargs=kwargs)
    except NoReverseMatch:
        return reverse(name, kwargs={key: value for key, value in kwargs.items() if key != "version"})


def podium_of_answer(answer):
    """Return the rank and the name of each row on the podium, from an answer of the API."""
    reference = answer.get("reference")
    rows = answer["together" if reference == "sections" else "players"]
    rank = Reference(reference).rank if reference else "rank"
    return [(row[rank], row["name"]) for row in choose_podium(rows, lambda row: row[rank])]


def read_ranks_of_players(stranger, version, podium):
    """Return the rank of these players in this session, which their own pages and the API give alike."""
    refresh(version.session_id)
    ranks = []
    for row in podium:
        sessions = stranger.get(f"/api/v1/players/{row.player.known_as}/sessions/").json()
        (own,) = [each for each in sessions if each["session"] == version.session_id]
        page = stranger.get(reverse("player", args=[row.player.known_as])).content.decode()
        assert f"{own['rank']} of {own['ranked']}" in page
        ranks.append(own["rank"])
    return ranks


def list_pinned(page):
    return [row.player.name for row in page["tables"][0].rows if row.rank]


@pytest.mark.nightly("process")
@pytest.mark.django_db
def test_every_ranking_of_the_demonstration_has_one_order_in_every_medium(monkeypatch):
    monkeypatch.setattr(all_kinds, "draw_podium", lambda _heading, steps, **_more: repr([each.name for each in steps]))
    monkeypatch.setattr(all_kinds, "set_ranking", lambda _heading, rows, **_more: repr(rows).encode())
    monkeypatch.setattr(all_kinds, "pin", list_pinned)
    now, stranger = timezone.now(), browser_of()
    demo.play_evening(now=now, before=1)
    demo.hold_simultaneous(now=now)
    seen, feed = set(), stranger.get("/feed/").content.decode()
    listed = {(type(each), each.pk) for each in find_latest_rankings(Whose(), 30)}
    for kind in RANKING_KINDS:
        for version in kind.find_latest(Whose(), 50):
            place = kind.place(version)
            picture, frame, pdf = (find_address(name, place.version) for name in MEDIA[kind.name])
            page = stranger.get(place.page).context
            podium = [(row.rank, row.player.name) for row in page["podium"]]
            names = [name for _rank, name in podium]
            assert [(step.rank, step.name) for step in read_all_podiums([version])[version]] == podium
            assert stranger.get(picture).content.decode() == repr(names)
            framed = stranger.get(frame).context
            assert framed.get("by", page["by"]) == page["by"]
            pinned_names = literal_eval(stranger.get(pdf).content.decode())
            assert [re.sub(r", [^,]+$", "", name) for name in pinned_names[: len(names)]] == names or (
                pinned_names[: len(names)] == names
            )
            assert podium_of_answer(stranger.get(place.api).json()) == podium
            if kind.name == "session":
                assert read_ranks_of_players(stranger, version, page["podium"]) == [rank for rank, _name in podium]
            entry = ", ".join(f"{rank}. {name}" for rank, name in podium)
            assert (entry in unescape(unescape(feed))) == ((type(version), version.pk) in listed)
            seen.add(kind.name)
    assert seen == set(MEDIA)


@pytest.mark.django_db
def test_player_pages_and_the_interface_give_the_rank_in_the_reference():
    session = published_session()
    data = session.publications.get().data["players"]
    alterne, general = ({row["player"]: row[name] for row in data} for name in ("rank_alterne", "rank_general"))
    who = next(player for player in alterne if alterne[player] != general[player])
    for ranks in (alterne, general):
        refresh(session.pk)
        (row,) = browser_of().get(f"/api/v1/players/{who}/sessions/").json()
        told = (row["rank"], row["rank_general"], row["rank_alterne"])
        assert told == (ranks[who], general[who], alterne[who])
        page = browser_of().get(reverse("player", args=[who])).content.decode()
        assert f"{ranks[who]} of {len(data)}" in page
        create_session(tournament=session.tournament, date=DATE, positions=4, etuis_per_position=4)
