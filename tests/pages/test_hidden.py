"""The secrecy of players who are hidden, shown by initials or erased: no public page names them, nor a licence.

The tests crawl from every address in the tables of roles, as everybody who has no role. A new address in
`test_access.PAGES` or in the API's table is crawled without a change here.
"""

import re
from collections import Counter, deque
from decimal import Decimal
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from api.tokens import make_api_token
from clubs.house import change_settings
from clubs.models import Player, ShownWord
from clubs.players import add_players, raise_names_version
from clubs.roster import RosterLine
from clubs.shown import call_for_directors, choose_shown
from evenings.plays.entering import correct_result
from evenings.plays.penalties import Sanction, give_penalty
from evenings.requests.asking import ask_correction
from evenings.requests.links import ensure_links
from pages.doors import session_url
from rankings.careers import keeping as careers
from rankings.events.publishing import TOURNAMENTS
from rankings.publication import report
from registration.people.merging import merge_players
from tests.api import test_roles as api
from tests.api.conftest import director, outsider, stranger  # noqa: F401
from tests.api.test_roles import evening, foreign_director, player  # noqa: F401
from tests.deals.exports.test_pdf import flat
from tests.factories import make_club, make_user, publish
from tests.outgoing.workbooks import SPREADSHEET, text_of_workbook
from tests.pages.reading import words
from tests.test_access import PAGES, READ, address, world  # noqa: F401
from tournaments.models import Applicant, Session
from tournaments.rules.entry import Fiche
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db

READ_AS_TEXT = re.compile(r"text/|application/(json|xml|[a-z]+\+xml|[a-z.]+\+json|javascript)|image/svg")
PICTURES = re.compile(r"image/(png|jpeg|webp|x-icon)")
HERE = "http://testserver"
LEADS_TO = re.compile(rf'(?:href|src|hx-get)="([^"]+)"|content="((?:{HERE})?/[^"]+)"|<loc>([^<]+)</loc>')
# Left out: files of the site itself, and pages that ask who somebody is.
LEFT_OUT = re.compile(r"/(static|language|login|logout|account|password|admin|begin|player)/|/api/v1/(docs|schema)/")
OF_A_VERSION = re.compile(r"/ranking/([0-9]+/)?players/[0-9]+/")  # entrants of one session, or of a simultaneous
MOST = 30  # addresses of one kind: the calendar has no end, and a ranking is sorted in many ways


class Who(NamedTuple):
    """The words that only this person brings to a page; none is part of another word."""

    first_name: str
    last_name: str
    licence: str


HIDDEN = Who("Yvonnick", "Quarantesous", "KX-77141")
INITIALS = Who("Philibert", "Zwingelstein", "KX-77142")
ERASED = Who("Ermengarde", "Oblivieuse", "KX-77143")
STANDS_IN = Who("Wulfran", "Remplacier", "KX-77144")
MERGED = Who("Adalbéron", "Jadisnommé", "KX-77145")
TOLD = Who("Zoé", "Aunomconnu", "KX-77146")  # shown by name: nobody may see the licence alone
ALONE = (HIDDEN, INITIALS, ERASED, STANDS_IN, MERGED)
SECRETS = {word.casefold() for who in ALONE for word in who} | {TOLD.licence.casefold()}


def secrets_in(answer):
    """Return which of the words are in the text of an answer, in its address, or in its headers."""
    kind = answer.get("Content-Type", "")
    if kind.startswith(("application/pdf", SPREADSHEET)):
        text = (text_of_workbook if kind == SPREADSHEET else flat)(answer.content)
    elif PICTURES.match(kind):
        text = ""  # `test_no_picture_has_a_name` reads pictures
    else:
        assert READ_AS_TEXT.match(kind) or not answer.content, f"nobody knows how to read {kind}"
        text = answer.content.decode()
    text += " ".join(f"{name}: {value}" for name, value in answer.items())
    text = unquote(unescape(text)).casefold()
    if "\\u" in text:
        text += text.encode("ascii", "ignore").decode("unicode-escape")
    return {secret for secret in SECRETS if secret in text}


class Alone:
    """The players of a published session who want to be left alone, in every place where they can appear."""

    def __init__(self, session, by):
        self.session = Session.objects.select_related("tournament__club").get(pk=session.pk)
        self.by, self.club = by, self.session.tournament.club

    def prepare(self, draft=None):
        """Make two versions with penalty, correction, stand-in, merge, request and registration, still by name."""
        players = [each for each in self.session.publications.get().data["players"] if each["rank_alterne"]]
        sat = self.session.entrants.filter(player__account=None).select_related("player").in_bulk()
        order = [each["id"] for each in sorted(players, key=lambda each: each["rank_alterne"])]
        ranked = [sat[pk] for pk in order if pk in sat]
        self.winner, self.second, self.third, self.fourth, self.fifth = ranked[:5]
        self.links = ensure_links(self.session, now=timezone.now())
        people = {HIDDEN: self.winner, INITIALS: self.second, ERASED: self.third, TOLD: self.fifth}
        for who, entrant in people.items():
            Player.objects.filter(pk=entrant.player_id).update(**who._asdict())
        lines = [RosterLine(who.last_name, who.first_name, who.licence) for who in (STANDS_IN, MERGED)]
        self.stand_in, twice = add_players(club=self.club, lines=lines)
        self.fourth.stand_in, self.fourth.stand_in_from = self.stand_in, 2
        self.fourth.save()
        told = {"by": self.by, "now": timezone.now()}
        merge_players(club=self.club, kept_id=self.winner.player_id, gone_id=twice.pk, **told)
        his = Q(north=self.winner) | Q(east=self.winner) | Q(south=self.winner) | Q(west=self.winner)
        self.play, other = self.session.plays.filter(his).select_related("etui").order_by("-pk")[:2]
        ask_correction(link=self.links[self.winner.pk], play_id=other.pk, text="46 au lieu de 56", now=timezone.now())
        worst = Fiche(self.play.etui.taker, -400 if self.play.seats[self.play.etui.taker] == self.winner else 400)
        correct_result(play_id=self.play.pk, entry=worst, reason="relu", seen_version=1, **told)
        given = {"sanction": Sanction(points=Decimal(2)), "reason": "retard"}
        give_penalty(session_id=self.session.pk, entrant_id=self.winner.pk, **given, **told)
        publish(self.session, by=self.by)
        if self.session.tournament.publications.exists():
            TOURNAMENTS.publish(self.session.tournament_id, DirectorWord(self.by, timezone.now()))
        for each in self.session.tournament.sessions.all():
            careers.refresh(each.pk)
        for place, who in enumerate((HIDDEN, INITIALS)) if draft else ():
            put_down(draft, who, token=f"{place}" * 43)
        change_settings(self.club, {"shows_members": True}, by=self.by, now=timezone.now())
        raise_names_version(self.club.pk)
        hidden = (self.winner.player_id, self.stand_in.pk, twice.pk)
        self.rows = "|".join(map(str, hidden))
        return self

    def hide(self):
        """Hide one player by their own choice and others by a director's, and erase one."""
        for whom, shown, way in (
            (self.winner.player, "hidden", ShownWord.WordWay.LINK),
            (self.second.player, "initials", ShownWord.WordWay.DIRECTOR),
            (self.stand_in, "hidden", ShownWord.WordWay.DIRECTOR),
        ):
            choose_shown(player=whom, shown=shown, way=way, by=self.by, now=timezone.now())
        Player.objects.filter(pk=self.third.player_id).update(erased_at=timezone.now())
        raise_names_version(self.club.pk)
        return self


def put_down(session, who, token):
    moment = timezone.now()
    named = {"first_name": who.first_name, "last_name": who.last_name, "key": token}
    Applicant.objects.create(session=session, **named, token=token, registered_at=moment, accepted_at=moment)


@pytest.fixture(autouse=True)
def unbounded(monkeypatch):
    """Allow any number of pages: a crawl has more pages built in ten seconds than one address may."""
    monkeypatch.setattr("tournaments.page_cache.MOST_BUILT", 10**6)


@pytest.fixture
def alone(world):  # noqa: F811
    by = world["club"].memberships.get(role="director", ends_on=None).user
    return Alone(world["published"], by).prepare(world["draft"])


def beginnings(world):  # noqa: F811
    """Return every address of the table that is open to everybody, for both versions."""
    found = [address(world, name) for name, (method, need, _) in PAGES.items() if (method, need) == ("GET", READ)]
    published = world["published"]
    found += [address_of_version(published, version) for version in (1, 2)]
    halls = [session_url("hall", each) for each in (published, world["running"])]
    found += [f"{hall}{query}" for hall in halls for query in ("", "?by=table", "?by=name")]
    found.append(reverse("members", args=[world["club"].slug]))
    return found + [reverse("player", args=[pk]) for pk in published.entrants.values_list("player", flat=True)]


def address_of_version(session, version):
    return session_url("ranking_version", session, version)


def walk(client, world, starts=None):  # noqa: F811
    """Return the answers by address: of the starts, and of all that they lead to on this site, MOST of a kind."""
    answers, waiting, times = {}, deque(beginnings(world) if starts is None else starts), Counter()
    while waiting:
        where = waiting.popleft()
        path = where.partition("?")[0]
        if where in answers or LEFT_OUT.search(path):
            continue
        times[kind := kind_of(path)] += 1
        if times[kind] <= MOST:
            answer = answers[where] = client.get(where)
            assert answer.status_code < 429, where  # neither refused as too many requests nor an error
            waiting.extend(leads_to(where, answer))
    return answers


def kind_of(path):
    try:
        return resolve(path).url_name
    except Resolver404:
        return None


def leads_to(where, answer):
    """Yield the addresses on this site that an answer names."""
    named = [answer["Location"]] if "Location" in answer else []
    if READ_AS_TEXT.match(answer.get("Content-Type", "")) and answer.status_code == 200:
        named += map("".join, LEADS_TO.findall(answer.content.decode()))
    for name in named:
        there = urldefrag(urljoin(f"{HERE}{where}", unescape(name))).url
        if there.startswith(f"{HERE}/"):
            yield there.removeprefix(HERE)


def leaks(answers):
    return {where: found for where, answer in answers.items() if (found := secrets_in(answer))}


def rows_told(alone, answers):
    """Return where the id of a hidden player is shown, since it would connect their evenings."""
    of = f"(?:{alone.rows})"
    told = re.compile(rf'data-(?:player|me)="{of}"|"player": ?{of}\b|/players/{of}/')
    return {
        where: match[0]
        for where, answer in answers.items()
        if "text/html" in answer.get("Content-Type", "") or "json" in answer.get("Content-Type", "")
        if (match := told.search(OF_A_VERSION.sub("", answer.content.decode()).replace(where, "")))
    }


@pytest.mark.nightly("crawl")
def test_no_page_that_is_kept_names_anybody_at_the_very_next_request(world, alone):  # noqa: F811
    """Check that pages which were read by name before, and are asked for by their tag, name nobody."""
    before = walk(Client(), world)
    named = leaks(before)
    found = {word for words in named.values() for word in words}
    assert found == {word.casefold() for who in (HIDDEN, INITIALS, ERASED, STANDS_IN) for word in who[:2]}
    assert rows_told(alone, before)
    alone.hide()
    tagged = 0
    for where in named:
        tag = before[where].get("ETag")
        answer = Client(headers={"if-none-match": tag} if tag else {}).get(where)
        # a player who is not shown by name has no career; a series redirects to its ranking
        there = {200, 404} if where.startswith("/players/") else {302} if "/challenge/players/" in where else {200}
        assert (where, answer.status_code in there, secrets_in(answer)) == (where, True, set())
        tagged += bool(tag)
    assert tagged > 20


@pytest.mark.nightly("crawl", only=("stranger", "foreign_director"))
@pytest.mark.guard("hidden people are named nowhere")
@pytest.mark.parametrize("roles", [("anonymous", "player"), ("stranger", "foreign_director")], ids=" ".join)
def test_no_first_page_names_who_wants_to_be_left_alone(world, alone, roles):  # noqa: F811
    alone.hide()
    for role in roles:
        answers = {where: world["clients"][role].get(where) for where in beginnings(world)}
        assert (leaks(answers), rows_told(alone, answers)) == ({}, {})
        assert len(answers) > 20


@pytest.mark.nightly("crawl")
def test_no_page_that_they_lead_to_names_who_wants_to_be_left_alone(world, alone):  # noqa: F811
    alone.hide()
    answers = walk(Client(), world)
    assert (leaks(answers), rows_told(alone, answers)) == ({}, {})
    assert len(answers) > 100


@pytest.mark.nightly("crawl")
def test_only_who_is_shown_by_name_has_a_page_of_his_own(alone):
    """Check that the page of anybody else answers like an address that never existed."""
    alone.hide()
    left = {alone.winner.player_id, alone.second.player_id, alone.third.player_id}
    answers = {pk: Client().get(reverse("player", args=[pk])) for pk in {*left, alone.fifth.player_id, 10**9}}
    codes = {pk: answer.status_code for pk, answer in answers.items()}
    assert codes == dict.fromkeys((*left, 10**9), 404) | {alone.fifth.player_id: 200}
    never = words(answers[10**9])
    assert {words(answers[pk]) for pk in left} == {never}


@pytest.mark.nightly("crawl")
def test_a_planted_leak_is_found(world, alone, monkeypatch):  # noqa: F811
    """Let the reader of reports name everybody."""
    alone.hide()
    monkeypatch.setattr(report, "call_in_public", call_for_directors)
    raise_names_version(alone.club.pk)
    pages = {name: address(world, name) for name in ("ranking", "results_csv")}
    answers = {where: Client().get(where) for where in pages.values()}
    assert leaks(answers).keys() == set(pages.values())


@pytest.mark.nightly("crawl")
def test_personal_link_of_another_names_nobody(world, alone):  # noqa: F811
    """Read the links of all players who are shown by name; some have sat with the hidden ones."""
    alone.hide()
    left = {alone.winner.pk, alone.second.pk, alone.third.pk, alone.fourth.pk}
    pages = {}
    for link in (link for pk, link in alone.links.items() if pk not in left):
        mine = reverse("personal", args=[link.token])
        pages[mine] = Client().get(mine)
        lines = [where for where in leads_to(mine, pages[mine]) if where.startswith(mine)]
        pages |= {where: Client().get(where) for where in lines}
    assert leaks(pages) == {}
    assert sum("Joueur masqué" in words(page) for page in pages.values()) > 3
    assert any("46 au lieu de 56" in words(page) for page in pages.values())


@pytest.mark.nightly("crawl")
def test_who_is_hidden_sees_himself_by_name_on_his_own_page(alone):
    alone.hide()
    page = Client().get(reverse("personal", args=[alone.links[alone.winner.pk].token]))
    assert (page.status_code, secrets_in(page)) == (200, {word.casefold() for word in HIDDEN[:2]})


@pytest.mark.nightly("crawl")
def test_hidden_player_is_first_and_alone_at_his_table(alone):
    """Check that places and figures stay, although everybody at the table is hidden too."""
    first = min(alone.session.publications.first().data["players"], key=lambda each: each["rank_alterne"] or 99)["id"]
    for entrant in (*alone.play.seats.values(), alone.session.entrants.get(pk=first)):
        choose_shown(player=entrant.player, shown="hidden", way="director", by=alone.by, now=timezone.now())
    browser = Client(headers={"accept-language": "en"})
    etui_page = browser.get(session_url("published_etui", alone.session, 1, alone.play.etui.number))
    assert (etui_page.status_code, words(etui_page).count("Hidden player") >= 4) == (200, True)
    ranked = browser.get(f"/api/v1/sessions/{alone.session.pk}/publications/latest/").json()["players"]
    winner = next(each for each in ranked if each["rank_alterne"] == 1)
    named = winner["name"].split(" / ")[0]  # the name before that of the stand-in
    assert (named, winner["id"], winner["overall"] is None) == ("Hidden player", first, False)
    assert browser.get(session_url("hall", alone.session)).status_code == 200


@pytest.mark.nightly("crawl")
def test_looking_for_a_hidden_name_finds_what_looking_for_nobody_finds(world, alone):  # noqa: F811
    """Check that a search shows neither the name nor that somebody has it."""
    alone.hide()
    asks = [where for where in beginnings(world) if 'name="q"' in Client().get(where).content.decode(errors="ignore")]
    for where in asks:
        for who in (HIDDEN, INITIALS, STANDS_IN):
            part = who.last_name[:-1].lower()
            nobody = "x" * len(part)
            answers = [Client().get(where, {"q": wanted}) for wanted in (part, nobody)]
            assert secrets_in(answers[0]) == set()
            assert (where, words(answers[0]).replace(part, nobody)) == (where, words(answers[1]))
    assert len(asks) > 1


@pytest.mark.nightly("crawl")
def test_no_picture_has_a_name(world, alone):  # noqa: F811
    """Check that a picture does not change with the names of players who are hidden."""
    alone.hide()
    before = pictures(world)
    for entrant in (alone.winner, alone.third):
        Player.objects.filter(pk=entrant.player_id).update(last_name="Zautrement", first_name="Pquelqu’un")
    raise_names_version(alone.club.pk)
    assert pictures(world) == before


def pictures(world):  # noqa: F811
    """Return the pictures that pages lead to, by path, without the part that names a version."""
    pages = {where: Client().get(where) for where in beginnings(world)}
    leads = {there for where, page in pages.items() for there in leads_to(where, page) if not LEFT_OUT.search(there)}
    drawn = {where: Client().get(where) for where in leads if re.search(r"\.(png|jpe?g|webp)\b", where)}
    drawn |= {where: page for where, page in pages.items() if PICTURES.match(page.get("Content-Type", ""))}
    return {where.partition("?")[0]: answer.content for where, answer in drawn.items()}


# The API


@pytest.fixture
def club(db):
    return make_club("api")


@pytest.fixture
def alone_in_the_api(evening, director, player):  # noqa: F811
    """Return the players to hide. None of them reads the API here, since players still see their own name."""
    return Alone(Session.objects.get(pk=evening.places["published"]), director.user).prepare()


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("role", ["nobody’s token", "stranger", "outsider", "player", "foreign_director"])
def test_no_answer_of_the_api_names_him(request, evening, alone_in_the_api, role):  # noqa: F811
    """Read each answer by name first, and ask again with its tag once they are hidden."""
    alone, language = alone_in_the_api, {"accept-language": "fr"}
    if role == "nobody’s token":
        client = Client(headers={"authorization": f"Token {make_api_token(make_user('personne'))}"})
    else:
        client = request.getfixturevalue(role).client
    before = {where: client.get(where, headers=language) for where in addresses_of_the_api(alone, evening.places)}
    named = leaks(before)
    assert {word for found in named.values() for word in found} >= {word.casefold() for word in HIDDEN[:2]}
    alone.hide()
    after = {}
    for where, answer in before.items():
        tag = {"if-none-match": answer["ETag"]} if "ETag" in answer else {}
        after[where] = client.get(where, headers=language | tag)
    assert (leaks(after), rows_told(alone, after)) == ({}, {})
    assert [where for where in named if after[where].status_code == 304] == []


def addresses_of_the_api(alone, places):
    """Return every address of the table that is open to everybody, and all published versions and players."""
    paths = [path.format(**places) for path, methods in (api.OPEN | api.NEEDS).items() if methods.get("GET") == READ]
    of_session = f"sessions/{alone.session.pk}/"
    paths += [f"{of_session}entrants/{pk}/" for pk in alone.links]
    paths += [f"{of_session}publications/{version}/" for version in (1, 2)]
    return [where for path in paths if not LEFT_OUT.search(where := f"/api/v1/{path}")]
