"""The attempts to take over a hidden junior of club A, from club B and elsewhere.

SECURITY.md has a table of what each role can do. This file reads that table and tries every cell.
"""

import datetime as dt
import io
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from clubs.accounts.questions import answer_question, ask_same
from clubs.house import change_settings
from clubs.models import ClubLogEntry, Person, PersonLink, Player, User, Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import Way, choose_shown
from evenings.requests.links import ensure_links
from tests.factories import make_club, make_director, make_helper, make_tournament, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.careers.world import played
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("process")]

SECURITY = (Path(__file__).parents[2] / "SECURITY.md").read_text()
ROLES = ("director of B", "helper of B", "player with account", "person by link", "administrator")
LICENCE = "JUN-123456"


def read_table():
    """Return the table as {(act, True if joined): {role: "yes" or "no"}}."""
    part = SECURITY.partition("## Taking over a person")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    head, _rule, *acts = rows
    assert tuple(head[1:]) == ROLES
    return {act: dict(zip(ROLES, cells, strict=True)) for act, *cells in acts}


class World:
    """A hidden junior of club A, the player of club B that shall take her over (the bait), and an account in each role.

    She has no account at first. The two players are joined only when `join` is called.
    """

    def __init__(self):
        self.a, self.b = make_club("a", "Club A"), make_club("b", "Club B")
        self.director_a = make_director(self.a, "directrice-a")
        self.there, self.here = (played(make_tournament(club)) for club in (self.a, self.b))
        self.now = timezone.now()
        self.junior = self.first_of(self.there)
        Player.objects.filter(pk=self.junior.pk).update(
            first_name="Ondine", last_name="Cachée", licence=LICENCE, category="junior"
        )
        self.junior.refresh_from_db()
        hide = {"player": self.junior, "shown": Visibility.HIDDEN, "now": self.now}
        choose_shown(**hide, way=Way.DIRECTOR, by=self.director_a)
        self.bait = self.first_of(self.here)
        for club in (self.a, self.b):
            change_settings(club, {"player_accounts": "link"}, now=self.now, by=self.director_a)
        self.users = {
            "director of B": make_director(self.b, "directeur-b"),
            "helper of B": make_helper(self.b, "aide-b"),
            "player with account": make_user("joueur-b"),
            "administrator": User.objects.create_superuser("administratrice", password="a long passphrase for tests"),
        }
        tie(self.bait, self.users["player with account"], by=self.users["director of B"], now=self.now)
        self.token = self.token_of(self.here, self.bait)

    def browser(self, role):
        """Return a new browser, because messages wait in a used one for the next page."""
        return browser_of(self.users.get(role))

    def first_of(self, session: Session):
        return session.entrants.order_by("pk").first().player

    def token_of(self, session, player):
        return ensure_links(session, now=self.now)[session.entrants.get(player=player).pk].token

    def join(self):
        """Join the two players with the agreement of both sides: the bait's account, and club A."""
        link = self.ask()
        answer = {"link_id": link.pk, "agree": True, "now": self.now}
        answer_question(club=self.a, by=self.director_a, **answer)
        self.browser("player with account").post(reverse("account_persons"), {"action": "agree", "link": link.pk})
        link.refresh_from_db()
        assert link.accepted_at is not None
        assert self.person(self.junior) == self.person(self.bait)

    def ask(self):
        by = self.users["director of B"]
        return ask_same(player=self.bait, club=self.a, words=LICENCE, by=by, now=self.now)

    def person(self, player):
        return Person.objects.get(players=player)

    def her(self):
        return Player.objects.select_related("person", "account").get(pk=self.junior.pk)


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    return World()


def body(response):
    """Return the files of an archive by their names."""
    with ZipFile(io.BytesIO(b"".join(response.streaming_content))) as archive:
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def pages_of(name, *rest):
    """Return the address of a page of club A, and the address of the same page of club B."""
    return [reverse(name, args=[slug, *rest]) for slug in ("a", "b")]


# The attempts: each function returns True if it succeeded.


def ask(world, browser, token):
    mine = reverse("player_person", args=["b", world.bait.pk])
    browser.post(mine, {"action": "ask", "club": "a", "words": LICENCE})
    return PersonLink.objects.filter(one=world.bait, other=world.junior).exists()


def say_yes_for_her(world, browser, token):
    """Agree for club A's side, while she has no account."""
    link = world.ask()
    for said in ("agree", "confirm"):
        for where in (*pages_of("player_person", world.junior.pk), *pages_of("player_person", world.bait.pk)):
            browser.post(where, {"action": said, "link": link.pk})
        browser.post(reverse("account_persons"), {"action": said, "link": link.pk})
    link.refresh_from_db()
    return link.other_agreed_at is not None or world.person(world.junior) == world.person(world.bait)


def say_yes_for_her_account(world, browser, token):
    tie(world.junior, make_user("ondine"), by=world.director_a, now=world.now)
    return say_yes_for_her(world, browser, token)


def learn_that_she_exists(world, browser, token):
    """Ask for her licence, and for a licence that nobody has. Return True if the answers differ."""
    other = add_players(club=world.b, lines=[RosterLine("Autre", "Appât")])[0]
    seen = []
    for player, licence in ((world.bait, LICENCE), (other, "NOBODY")):
        where = reverse("player_person", args=["b", player.pk])
        answer = browser.post(where, {"action": "ask", "club": "a", "words": licence}, follow=True)
        told = words(browser.get(where) if answer.status_code == 200 else answer)
        for own in (player.first_name, player.last_name, licence):  # the page has the name in both orders
            told = told.replace(own, "…")
        seen.append((answer.status_code, re.sub("[0-9]+", "", told)))
    return seen[0] != seen[1]


def read_name(world, browser, token):
    """Look for her name on pages of players, careers and logs, and in files."""
    where = [*pages_of("players"), *pages_of("club_player", world.junior.pk), *pages_of("club_player", world.bait.pk)]
    where += [*pages_of("player_person", world.junior.pk), *pages_of("player_person", world.bait.pk)]
    where += [*pages_of("team"), *pages_of("club"), reverse("account"), reverse("account_persons")]
    where += [reverse("player", args=[player.pk]) for player in (world.junior, world.bait)]
    where += [reverse("personal_career", args=[token]), reverse("personal", args=[token])]
    where += [reverse("admin:clubs_player_change", args=[world.junior.pk])]
    files = [reverse("account_export"), reverse("player_export", args=["b", world.bait.pk])]
    answers = [browser.get(page, follow=True) for page in where]
    texts = [answer.content.decode() for answer in answers if answer.status_code == 200]
    for address in files:
        answer = browser.post(address)
        if answer.get("Content-Type") == "application/zip":
            texts += [*body(answer).values()]
    return any("Cachée" in text or LICENCE in text for text in texts)


def show_by_name(world, browser, token):
    for player in (world.junior, world.bait):
        for where in pages_of("club_player", player.pk):
            browser.post(where, {"action": "shown", "shown": "name"})
    browser.post(reverse("account_shown"), {"shown": "name"})
    browser.post(reverse("personal_shown", args=[token]), {"shown": "name"})
    return world.her().person.shown != Visibility.HIDDEN


def read_career(world, browser, token):
    """Look for her session in club A, by either player's number."""
    where = [reverse("player", args=[player.pk]) for player in (world.junior, world.bait)]
    where += [reverse("personal_career", args=[token])]
    api = [f"/api/v1/players/{player.pk}/{part}" for player in (world.junior, world.bait) for part in ("", "sessions/")]
    answers = [browser.get(page, follow=True) for page in (*where, *api)]
    texts = [answer.content.decode() for answer in answers if answer.status_code == 200]
    return any(re.search(r"/clubs/a/|Club A|\"a\"", text) for text in map(without_head, texts))


def without_head(text):
    return re.sub(r"(?s)<(header|footer|nav)\b.*?</\1>", "", text)


def take_account(world, browser, token):
    """Make a link to take her account, on her own page or on the bait's, and use it."""
    before = world.her().account
    for player in (world.junior, world.bait):
        for where in pages_of("player_account", player.pk):
            page = browser.post(where, {"action": "link", "email": ""}).content.decode()
            if found := re.search(r"http://testserver(/player/[^<]+)", page):
                browser_of(make_user(f"prise-{player.pk}")).post(found[1])
    return world.her().account != before


def untie(world, browser, token):
    tie(world.junior, user := make_user("ondine"), by=world.director_a, now=world.now)
    for player in (world.junior, world.bait):
        for where in pages_of("player_account", player.pk):
            browser.post(where, {"action": "untie"})
        browser.post(reverse("player_untie"), {"player": player.pk})
    act_in_administration(world, browser, "untie_accounts")
    return world.her().account != user


def act_in_administration(world, browser, action):
    browser.post(reverse("admin:clubs_player_changelist"), {"action": action, "_selected_action": [world.junior.pk]})


def export(world, browser, token):
    before = ClubLogEntry.objects.filter(action="player_exported", club=world.a).count()
    found = []
    addresses = [*pages_of("player_export", world.junior.pk), reverse("player_export", args=["b", world.bait.pk])]
    answers = [browser.post(address) for address in (*addresses, reverse("account_export"))]
    answers.append(browser.post(reverse("personal_data", args=[token]), {"action": "export"}))
    for answer in answers:
        if answer.get("Content-Type") == "application/zip":
            found.append(any(LICENCE in text or '"club": "Club A"' in text for text in body(answer).values()))
    return any(found) or ClubLogEntry.objects.filter(action="player_exported", club=world.a).count() != before


def erase(world, browser, token):
    for player in (world.junior, world.bait):
        for where in pages_of("player_erase", player.pk):
            browser.post(where, {"action": "erase", "understood": "on"})
    browser.post(reverse("personal_data", args=[token]), {"action": "ask", "understood": "on"})
    browser.post(reverse("account_erase"), {"understood": "on"})
    return world.her().erased_at is not None or world.her().erasure_asked_at is not None


def part(world, browser, token):
    link = PersonLink.objects.get(accepted_at__isnull=False)
    for where in pages_of("player_person", world.junior.pk) + pages_of("player_person", world.bait.pk):
        browser.post(where, {"action": "end", "link": link.pk})
    browser.post(reverse("account_persons"), {"action": "end", "link": link.pk})
    act_in_administration(world, browser, "part_from_other_clubs")
    return world.person(world.junior) != world.person(world.bait)


BEFORE = {
    "ask whether she plays in B too": ask,
    "say yes for her, without an account": say_yes_for_her,
    "say yes for her account": say_yes_for_her_account,
    "learn that she exists, by asking": learn_that_she_exists,
}
AFTER = {
    "read her name": read_name,
    "show her by name": show_by_name,
    "read what she played in A": read_career,
    "take her account": take_account,
    "untie her account": untie,
    "export what A keeps of her": export,
    "erase her in A": erase,
    "end that the two are one": part,
}
CELLS = [(act, role) for act in (*BEFORE, *AFTER) for role in ROLES]


def test_table_has_each_act():
    assert list(read_table()) == [*BEFORE, *AFTER]
    assert {cell for row in read_table().values() for cell in row.values()} == {"yes", "no"}


@pytest.mark.parametrize(("act", "role"), CELLS, ids=lambda each: each.replace(" ", "-"))
def test_each_role_can_do_what_the_table_says(world, act, role):
    """Try each cell. Acts after a join are tried once both sides have agreed, which gives the most rights."""
    if act in AFTER:
        world.join()
    done = (BEFORE | AFTER)[act](world, world.browser(role), world.token if role == "person by link" else "A" * 22)
    assert {True: "yes", False: "no"}[done] == read_table()[act][role]


def test_director_of_a_can_do_all_of_it(world):
    """Check that the attempts succeed with the right role, so that a "no" of the table was really tried."""
    for act in AFTER.values():
        with transaction.atomic():
            world.join()
            assert (act.__name__, act(world, browser_of(world.director_a), "A" * 22)) == (act.__name__, True)
            transaction.set_rollback(True)
    assert say_yes_for_her(world, browser_of(world.director_a), "A" * 22)


def test_director_who_tries_it_as_it_was_gets_nothing(world):
    """Let the director ask by her licence, and go on as if the players were joined."""
    browser = world.browser("director of B")
    assert ask(world, browser, "")
    assert world.person(world.junior) != world.person(world.bait)
    tried = (read_name, show_by_name, read_career, take_account, untie, export, erase)
    assert [act.__name__ for act in tried if act(world, browser, "A" * 22)] == []
    her = world.her()
    assert (her.last_name, her.licence, her.person.shown, her.erased_at) == ("Cachée", LICENCE, Visibility.HIDDEN, None)
    assert world.a.log.filter(action="person_question").count() == 1


def test_who_directed_b_once_asks_and_answers_nothing(world):
    """Try it with a role that has ended."""
    member = world.users["director of B"].memberships.get()
    member.ends_on = timezone.localdate() - dt.timedelta(days=1)
    member.save()
    make_director(world.b, "successeur-b")
    assert not ask(world, world.browser("director of B"), "")
