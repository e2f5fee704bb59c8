"""The page on which the arbiter gives a play another score or other notes.

A preview is shown before the ruling is saved.
"""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from evenings.plays.adjusting import adjust_play
from evenings.plays.free.dealing import find_shown_number
from pages.acting import done
from pages.doors import FORM, play_page
from pages.play.adjust_forms import AdjustForm
from pages.play.entry import PlayDesk
from pages.play.marks_forms import MarksForm
from pages.preview import PreviewedWord, is_applied, read_seen, show_preview
from scoring.errors import ScoringError
from tournaments.errors import ActionRefused
from tournaments.models import Play
from tournaments.permissions import Can
from tournaments.rules.entry import EntryError
from tournaments.words.messages import say

PLACES = {"base_score": "figure", "reason": "reason", "taker": "taker", "partner": "partner"}


@play_page(Can.DIRECT, FORM)
def play_adjust(request: HttpRequest, play: Play) -> HttpResponse:
    desk = PlayDesk(request, play)
    if desk.each.closed:  # the play's page says why
        return redirect(desk.at["play"])
    form_class: type[AdjustForm | MarksForm] = MarksForm if play.session.tournament.deals_freely else AdjustForm
    template = "rulings/adjust_marks.html" if form_class is MarksForm else "rulings/adjust.html"
    if request.method != "POST":
        initial = form_class.of(desk.rulings[0]) if desk.adjusted else None
        return desk.page(template, form=form_class(play, initial=initial))
    form = form_class(play, request.POST)
    if not form.is_valid():
        return desk.page(template, form=form)
    rule = partial(
        adjust_play,
        play_id=play.pk,
        seen_ruling=read_seen(request),
        by=desk.user,
        now=timezone.now(),
        **form.told,
    )
    try:
        if not is_applied(request):
            title = _("Decide étui %(etui)s at table %(table)s in this way?")
            if form_class is MarksForm:
                title = _("Decide deal %(etui)s at table %(table)s in this way?")
            about = {"etui": find_shown_number(play), "table": play.table.number}
            word = PreviewedWord(title % about, desk.at["play_adjust"], " · ".join(form.said))
            return show_preview(request, play.session, rule, word)
        rule()
    except (ActionRefused, ScoringError, EntryError) as error:
        place = PLACES.get(error.field)
        form.add_error(place if place in form.fields else None, say(error))
        return desk.page(template, form=form)
    return done(request, _("The ruling counts until you withdraw it."), desk.at["play"])
