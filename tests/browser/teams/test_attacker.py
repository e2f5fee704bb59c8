"""The screen of a table of triplettes on a phone in French: who attacks, out of turn too, and offline."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.devices import axe, words
from tests.evenings.tables.phones import tokens_of
from tests.evenings.teams.evening import triplettes_session
from tournaments.models import ResultEntry, Session, TeamMember

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_etuis_of_triplettes_with_their_attackers(table, problems):
    session = triplettes_session(etuis_per_position=4)
    Session.objects.filter(pk=session.pk).update(position=1, check_by="same")
    first, second, third, _fourth = session.plays.filter(position=1, table__number=1).order_by("etui__number")

    def attackers(play):
        found = TeamMember.objects.filter(team=play.seats[play.etui.taker].team).select_related("player")
        return {member.place: member for member in found}

    def stored(play):
        return ResultEntry.objects.get(play=play, current=True).attacker

    with table(reverse("table_screen", args=[tokens_of(session)[1]])) as phone:
        page = phone.page
        expect(page.locator(".greeted li")).to_have_count(2)
        phone.tap("write")
        phone.is_kept()
        assert axe(page) == []

        # The member whose turn it is attacks: one tap.
        phone.etui(first.etui.number)
        team = first.seats[first.etui.taker].name
        expect(phone.heading).to_have_text(words("ask.attacker", team=team))
        turn = attackers(first)[first.badge]
        preset = page.locator(".answer.is-primary")
        expect(preset).to_contain_text(turn.player.name)
        expect(preset).to_contain_text(words(f"badge.{first.badge}"))
        assert (axe(page), phone.fits()) == ([], True)
        phone.tap(f"attacker-{first.badge}")
        phone.facts()
        expect(page.locator(".outcome p").first).to_contain_text(turn.player.name)
        phone.tap("save")
        defence = next(seat.name for seat in first.seats.values() if seat.name != team)
        expect(phone.heading).to_contain_text(defence if first.etui.taker in "NS" else turn.player.name)
        phone.tap("agree", "skip")
        expect(phone.row(first.etui.number)).to_contain_text(words("state.confirmed"))
        assert stored(first) is None

        # Another member attacks, and a correction of the attacker alone leads straight to the summary.
        other = second.badge % 3 + 1
        phone.etui(second.etui.number)
        phone.tap(f"attacker-{other}")
        phone.facts()
        phone.tap("save", "agree", "skip")
        expect(phone.row(second.etui.number)).to_contain_text(words("state.confirmed"))
        assert stored(second) == attackers(second)[other]

        # Offline, then online.
        page.context.set_offline(True)
        other = third.badge % 3 + 1
        phone.etui(third.etui.number)
        phone.tap(f"attacker-{other}")
        phone.facts()
        phone.tap("save", "agree", "skip")
        expect(phone.row(third.etui.number)).to_contain_text(words("state.kept"))
        page.reload()
        expect(page.locator(".etui").nth(2)).to_contain_text(attackers(third)[other].player.name)
        assert not ResultEntry.objects.filter(play=third).exists()
        page.context.set_offline(False)
        expect(phone.row(third.etui.number)).to_contain_text(words("state.confirmed"))
        assert stored(third) == attackers(third)[other]
        assert phone.fits()
        problems[:] = [problem for problem in problems if "ERR_" not in problem]
