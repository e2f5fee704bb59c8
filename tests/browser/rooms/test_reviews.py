"""The pages of a player's costliest cards in a browser, filled: within the screen, readable, in both themes."""

import datetime as dt
from itertools import product

import pytest
from django.conf import settings as site
from django.db import transaction
from django.test import Client
from django.urls import reverse

from rooms.models import Game
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.rooms.conftest import same_seeds  # noqa: F401
from tests.rooms.web.test_reviews import account, close, game, read, review_address  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_costliest_cards_are_within_the_screen_and_readable_in_both_themes(phone, live_server, game, account):  # noqa: F811
    with transaction.atomic():
        read(account, review_address(game))
        close(game)
        Game.objects.filter(pk=game.pk).update(finished_at=dt.datetime.now(dt.UTC))
    own = Client()
    own.force_login(account.account)
    cookies = {"sessionid": own.cookies["sessionid"].value, site.LANGUAGE_COOKIE_NAME: "fr"}
    phone.context.add_cookies(
        [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
    )
    game.refresh_from_db()
    card = game.review["cards"][0]["at"]
    trial = reverse("room_trial", args=[game.table.room_id, 1]) + f"?table={game.table.number}&card={card}"
    for path, theme, (width, height) in product(
        [review_address(game), reverse("rooms_errors"), trial],
        ("light", "dark"),
        (PHONE, LAPTOP),
    ):
        phone.emulate_media(color_scheme=theme)
        phone.set_viewport_size({"width": width, "height": height})
        phone.goto(live_server.url + path)
        assert width_of(phone) <= width
        assert axe(phone) == []
