"""The secrecy of the étuis' cards: nothing that a table's phone is sent during an evening depends on them.

The evening is played twice, with the same commands and other cards in every étui. All answers must be equal. Records
that fit the cards and records that do not are answered alike.
"""

import json
import uuid

import pytest
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse

from deals.domain.cards import Suit, show_card
from deals.domain.deal import loads
from deals.models import Etui
from scoring.teams import find_facing
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import garde, started_session
from tournaments.locks import step
from tournaments.models import PlayRecord, ResultEntry, Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("print")]

VARYING = {"now", "at", "stamp", "number"}  # times, and ids that the database counts on
POSITIONS = 2


class Undone(Exception):
    """An error that rolls back the first of the two evenings."""


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(cards=True, positions=POSITIONS, etuis_per_position=3)
    tokens_of(session)
    return session.pk


@pytest.fixture
def session(evening):
    Session.objects.filter(pk=evening).update(whole_records=True, shows_after=Session.ShownAfter.TOPAGE)
    return Session.objects.get(pk=evening)


def give_other_cards(session):
    """Move the cards of each étui to the next one."""
    etuis = list(Etui.objects.filter(deal_set__etuis__plays__session=session).distinct().order_by("number"))
    texts = [etui.cards for etui in etuis]
    assert len(set(texts)) == len(texts) > 1
    for etui, text in zip(etuis, [*texts[1:], texts[0]], strict=True):
        etui.cards = text
    Etui.objects.bulk_update(etuis, ["cards"])


def records_of(deals):
    """Return records that fit the first deal and records that fit none: a lead, some tricks, a claim, a whole deal."""
    cards = [show_card(card) for hand in deals[0].hands for card in hand]
    tricks = [cards[start::18] for start in range(18)]
    back = [trick[::-1] for trick in tricks[::-1]]
    return [
        {"tricks": [tricks[0][:1]]},
        {"tricks": tricks[:3]},
        {"tricks": [*tricks[:4], tricks[4][:2]], "claim": "attack"},
        {"tricks": tricks},
        {"tricks": back},
    ]


def play_evening(session, deals):
    """Play at table 1 by two phones, and return everything that they are sent, with the names of the commands."""
    writer, follower = (Phone(tokens_of(session)[1], name) for name in ("phone-one", "phone-two"))
    sent = []

    def send(phone, kind, **fields):
        key = uuid.uuid5(uuid.NAMESPACE_OID, f"{len(sent)}")
        sent.append((kind, phone.post(command(kind, key=key, **fields)).content))
        sent.append(("state", phone.get().content))

    for address in ("table_screen", "arbiter"):
        sent.append((address, Client().get(reverse(address, args=[writer.token])).content))
    send(writer, "join", name="PC")
    send(follower, "join", name="iPhone")
    for position in range(1, POSITIONS + 1):
        Session.objects.filter(pk=session.pk).update(position=position, revision=F("revision") + step())
        plays = session.plays.filter(table__number=1, position=position).select_related("etui")
        for play in plays.order_by("etui__number"):
            about = {"play": play, "position": position, "etui": play.etui.number}
            taker = play.etui.taker
            send(writer, "start", **about)
            send(writer, "enter", **about, seat=taker, entry=garde(taker), sure=[])
            send(follower, "check", **about, seat=find_facing(list(play.seats))[taker], agrees=True, version=1)
            for record in records_of(deals):
                send(writer, "record", **about, record=record)
            send(follower, "record", **about, record=records_of(deals)[1])
            send(writer, "call", play=play)
    return sent


def comparable(sent):
    """Return the answers without times and without ids that the database counts on."""

    def strip(value):
        if isinstance(value, dict):
            return {key: strip(each) for key, each in value.items() if key not in VARYING}
        return [strip(each) for each in value] if isinstance(value, list) else value

    return [(kind, strip(json.loads(body)) if body[:1] in b"{[" else "page") for kind, body in sent]


def test_nothing_that_a_phone_is_sent_depends_on_the_cards_of_an_etui(session):
    deals = [loads(etui.cards) for etui in Etui.objects.filter(deal_set__etuis__plays__session=session).distinct()]
    try:
        with transaction.atomic():
            first = play_evening(session, deals)
            assert ResultEntry.objects.count() == 3 * POSITIONS
            assert PlayRecord.objects.filter(current=True).count() == 3 * POSITIONS
            raise Undone
    except Undone:
        pass
    give_other_cards(session)
    second = play_evening(session, deals)
    assert {kind for kind, _body in first} >= {"record", "enter", "check", "state", "table_screen", "arbiter"}
    assert comparable(first) == comparable(second)


def test_no_answer_has_a_card_in_it(session):
    etuis = Etui.objects.filter(deal_set__etuis__plays__session=session).distinct()
    texts = [etui.cards for etui in etuis]
    for kind, body in play_evening(session, list(map(loads, texts))):
        told = json.loads(body) if kind not in ("table_screen", "arbiter") else body.decode()
        text = json.dumps(told, ensure_ascii=False)
        assert [sign for sign in Suit if sign in text] == []
        assert [cards for cards in texts if cards in text] == []
