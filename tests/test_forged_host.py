"""The forged header Host: links never use it for anybody else, and the site never stores it.

With SITE_URL every link that leaves the site begins with it. Without it, only the sender of a forged Host gets it back.
`test_access` asks for every page by role with a forged Host.
"""

import re
from io import StringIO

import pytest
import segno
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache, caches
from django.core.management import call_command
from django.test import Client
from django.test.client import RequestFactory
from django.urls import reverse
from rest_framework.test import APIClient

from clubs.models import User
from outgoing.paper import pdf
from pages.desk.papers.documents import DOCUMENTS, FEUILLES
from pages.doors import session_url
from tests.config.test_settings import PROJECT
from tests.factories import PASSWORD
from tests.forged import EVIL, FORGED, SETTINGS, SITE, read_cache
from tests.test_access import text_of, world  # noqa: F401
from tournaments.addresses import find_own_addresses, link_to

pytestmark = pytest.mark.django_db

DOORS = (
    "/api/v1/sessions/?size=1",
    "/api/v1/rankings/?size=1",
    "/sitemap.xml",
    "/robots.txt",
    "/feed/",
    "/calendar.ics",
)


@pytest.fixture(autouse=True)
def site(settings):
    for name, value in SETTINGS.items():
        setattr(settings, name, value)
    for each in caches:
        caches[each].clear()
    return settings


@pytest.fixture
def ask(world, monkeypatch):  # noqa: F811
    """Give every request of the clients of the world a forged Host."""
    for client in world["clients"].values():
        monkeypatch.setattr(client, "defaults", client.defaults | FORGED)
    return lambda role: world["clients"][role]


def stored():
    """Return every row as text, except log-in sessions of browsers."""
    written = StringIO()
    call_command("dumpdata", stdout=written)
    return written.getvalue()


@pytest.mark.parametrize("door", DOORS)
def test_no_list_or_file_tells_the_host_that_was_made_up(world, ask, door):  # noqa: F811
    answer = ask("anonymous").get(door)
    assert answer.status_code == 200
    assert EVIL not in text_of(answer)
    assert (SITE in text_of(answer)) or "Link" not in answer
    assert EVIL not in read_cache()


def test_pages_and_files_name_the_site(world, ask):  # noqa: F811
    client = ask("anonymous")
    for door in ("/sitemap.xml", "/robots.txt", "/feed/", session_url("ranking", world["published"])):
        assert SITE in client.get(door).content.decode(), door
    assert f"<{SITE}/api/v1/rankings/?size=1&page=2>" in client.get("/api/v1/rankings/?size=1")["Link"]


@pytest.mark.nightly("print")
def test_prints_lead_to_the_site(world, ask, monkeypatch):  # noqa: F811
    drawn, made, make_qr, code = [], [], segno.make_qr, pdf.Code
    monkeypatch.setattr(segno, "make_qr", lambda url, **how: drawn.append(url) or make_qr(url, **how))
    monkeypatch.setattr(pdf, "Code", lambda *given: made.append(code(*given)) or made[-1])
    for document in (*DOCUMENTS, *FEUILLES):
        answer = ask("director").get(session_url("prints_pdf", world["published"]), {"document": document.code})
        assert answer.status_code == 200
        assert EVIL.encode() not in answer.content
    ask("director").get(session_url("hall", world["published"]))
    links = [*drawn, *(each.url for each in made if each.url), *(each.by_hand for each in made if each.url)]
    assert len(links) > 40
    assert [link for link in links if not link.startswith(f"{SITE}/")] == []


def write_all_letters(world, client_of):  # noqa: F811
    """Write each kind of letter, by a user who may do so."""
    director = User.objects.get(username="director")
    director.email = "directrice@example.org"
    director.save()
    EmailAddress.objects.create(user=director, email=director.email, primary=True, verified=True)
    club, player = world["club"].slug, world["named"]["other"]
    stranger = client_of("anonymous")
    stranger.post(reverse("account_reset_password"), {"email": director.email})
    stranger.post(reverse("player_sign_up", args=[club]), {"name": "Neuve", "email": "neuve@example.org"})
    stranger.post(reverse("player_sign_up", args=[club]), {"name": "Connue", "email": director.email})
    inviting = {"role": "helper", "whom": "Aide", "email": "aide@example.org", "ends_on": ""}
    client_of("director").post(reverse("team", args=[club]), inviting)
    linking = {"action": "link", "email": "joueuse@example.org"}
    client_of("director").post(reverse("player_account", args=[club, player]), linking)
    user = client_of("stranger")
    user.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    user.post(reverse("account_email"), {"email": "curieux@example.org", "action_add": ""})


@pytest.mark.nightly("story")
def test_letters_lead_to_the_site(world, ask, mails_at_once):  # noqa: F811
    cache.clear()
    write_all_letters(world, ask)
    letters = {letter.to[0] + letter.subject: f"{letter.body} {letter.message().as_string()}" for letter in mail.outbox}
    assert len(letters) >= 6, sorted(letters)
    assert [subject for subject, text in letters.items() if EVIL in text] == []
    links = [link for letter in mail.outbox for link in re.findall(r"https?://\S+", letter.body)]
    assert len(links) >= 6
    assert [link for link in links if not link.startswith(f"{SITE}/")] == []
    assert [letter.subject for letter in mail.outbox if "tarot.example.org" not in letter.body] == []
    assert (EVIL in read_cache(), EVIL in stored()) == (False, False)


def test_links_that_a_page_shows_once_lead_to_the_site(world, ask):  # noqa: F811
    director, club = ask("director"), world["club"].slug
    User.objects.filter(username="director").update(is_superuser=True)
    pages = [
        director.post(reverse("team", args=[club]), {"role": "helper", "whom": "Aide"}),
        director.post(reverse("member_password", args=[club, world["named"]["member"]])),
        director.post(reverse("player_account", args=[club, world["named"]["other"]]), {"action": "link"}),
        director.post(reverse("site_clubs"), {"club": "Nouveau club", "whom": "Elle"}),
        director.post(reverse("account_calendar"), {"do": "make"}, follow=True),
        ask("anonymous").post(session_url("sign_up", world["draft"]), {"last_name": "Neuve"}, follow=True),
    ]
    for page in pages:
        told = page.content.decode()
        assert (page.status_code, f"{SITE}/" in told, EVIL in told) == (200, True, False), page.request["PATH_INFO"]


@pytest.mark.nightly("story")
def test_without_the_setting_a_made_up_host_is_told_to_nobody_else(world, ask, site):  # noqa: F811
    site.SITE_URL, site.MAIL = "", False
    address_of = session_url("ranking", world["published"])
    for where in (*DOORS, address_of, "/"):
        ask("anonymous").get(where)
    for where in (*DOORS, address_of, "/"):
        assert EVIL not in text_of(Client().get(where)), where
    forwarded = {"HTTP_X_FORWARDED_HOST": EVIL, "HTTP_FORWARDED": f"host={EVIL}"}
    for where in (*DOORS, address_of, "/"):
        assert EVIL not in text_of(Client().get(where, **forwarded)), where
    assert EVIL not in stored()


def test_host_that_is_not_allowed_is_refused_all_the_same(world, site):  # noqa: F811
    site.ALLOWED_HOSTS = ["tarot.example.org"]
    address_of = session_url("ranking", world["published"])
    for _time in range(2):  # from the cache too
        assert Client().get(address_of, HTTP_HOST="tarot.example.org").status_code == 200
        assert Client().get(address_of, HTTP_HOST=EVIL).status_code == 400


def test_nothing_but_one_module_asks_a_request_for_its_host():
    asking = re.compile(r"build_absolute_uri|get_host\(\)|get_current_site|HTTP_HOST|current_site\b(?!\")")
    found = [
        str(path.relative_to(PROJECT))
        for root in (
            "clubs",
            "config",
            "deals",
            "tournaments",
            "evenings",
            "rankings",
            "registration",
            "archives",
            "outgoing",
            "handbook",
            "pages",
            "api",
            "jobs",
        )
        for path in (PROJECT / root).rglob("*.py")
        if asking.search(path.read_text())
    ]
    assert found == ["tournaments/addresses.py"]


def test_link_of_the_command_begins_with_the_site(world, capsys):  # noqa: F811
    call_command("password_link", "director")
    assert f"director: {SITE}/password/" in capsys.readouterr().out


def test_libraries_begin_addresses_with_the_site_too(world, ask):  # noqa: F811
    """Check the addresses that libraries build: allauth makes links of letters from the request itself."""
    seen = ask("anonymous").get("/", HTTP_HOST=EVIL).wsgi_request
    assert (seen.build_absolute_uri("/x/"), seen.build_absolute_uri()) == (f"{SITE}/x/", f"{SITE}/")
    assert APIClient().get("/api/v1/sessions/", HTTP_HOST=EVIL).status_code == 200


# Links made at an address of this computer alone


@pytest.fixture
def laptop(site, monkeypatch):
    site.SITE_URL, site.SERVER = "", False
    monkeypatch.setattr("tournaments.addresses.find_own_addresses", lambda: ["192.168.1.23", "10.0.0.7"])
    return site


ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en"}
LOCAL = ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "localhost"]


@pytest.mark.parametrize("host", LOCAL)
def test_link_made_at_this_computer_is_warned_of_with_the_halls_address(world, laptop, host):  # noqa: F811
    director, club = world["clients"]["director"], world["club"].slug
    made = director.post(reverse("team", args=[club]), {"role": "helper", "whom": "Aide"}, HTTP_HOST=host, **ENGLISH)
    prints = director.get(session_url("prints", world["running"]), HTTP_HOST=host, **ENGLISH)
    port = ":8000" if host.endswith("8000") else ""
    for page, path in ((made, reverse("team", args=[club])), (prints, session_url("prints", world["running"]))):
        told = page.content.decode()
        assert "which only this computer can open" in " ".join(told.split())
        for own in ("192.168.1.23", "10.0.0.7"):
            assert f'href="http://{own}{port}{path}"' in told
    assert (
        "which only this computer can open"
        not in director.get(reverse("team", args=[club]), HTTP_HOST=host, **ENGLISH).content.decode()
    )


def test_link_that_is_made_at_the_halls_address_or_by_the_setting_is_not_warned_of(world, laptop):  # noqa: F811
    director, where = world["clients"]["director"], session_url("prints", world["running"])
    assert (
        "which only this computer can open"
        not in director.get(where, HTTP_HOST="192.168.1.23:8000", **ENGLISH).content.decode()
    )
    laptop.SITE_URL = "http://192.168.1.23:8000"
    told = director.get(where, HTTP_HOST="127.0.0.1:8000", **ENGLISH).content.decode()
    assert ("which only this computer can open" in told, "192.168.1.23:8000" in told) == (False, True)


def test_server_tells_nobody_its_addresses(world, laptop):  # noqa: F811
    laptop.SERVER = True
    told = world["clients"]["director"].get(session_url("prints", world["running"]), HTTP_HOST="localhost", **ENGLISH)
    assert ("which only this computer can open" in told.content.decode(), "192.168.1.23" in told.content.decode()) == (
        True,
        False,
    )


def test_own_addresses_lead_to_this_machine_from_elsewhere():
    assert [own for own in find_own_addresses() if own.startswith("127.") or not re.fullmatch(r"[\d.]+", own)] == []


def test_link_keeps_what_stands_in_its_path(settings):
    request = RequestFactory().get("/", HTTP_HOST=EVIL)
    assert link_to(request, "/a/?q=é") == f"{SITE}/a/?q=é"
