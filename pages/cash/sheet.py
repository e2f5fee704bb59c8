"""The treasurer's sheet of an evening: as a page, as a PDF, and as a file for a spreadsheet."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from outgoing.paper.cash_sheet import print_cash_sheet
from outgoing.sheets.director_tables import make_cash_tables
from outgoing.sheets.files import CSV, XLSX, write_file
from pages.acting import done, signed
from pages.cash.forms import CountForm
from pages.doors import FORM, READING, session_page, session_url
from pages.downloads import download, send_file
from registration.cash.fees import keeps_cash_box
from registration.cash.payments import count_cash, make_cash_sums
from tournaments.models import Session
from tournaments.permissions import Can

PDF = "pdf"


@session_page(Can.DIRECT, FORM)
def cash_sheet(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the treasurer's sheet. A POST stores the cash that was counted."""
    sums = make_cash_sums(session)
    form = CountForm(initial={"counted": sums.counted, "float_cents": sums.float_cents})
    if request.method == "POST":
        form = CountForm(request.POST)
        if form.is_valid():
            count_cash(session_id=session.pk, **signed(request), **form.cleaned_data)
            return done(request, _("The count is saved."), session_url("cash_sheet", session))
    elif not keeps_cash_box(session.tournament.club):
        return redirect(session_url("cash", session))
    return render(request, "cash/sheet.html", {"session": session, "sums": sums, "form": form})


@session_page(Can.DIRECT, READING)
def cash_file(request: HttpRequest, session: Session) -> HttpResponse:
    """Answer with the treasurer's sheet as a file."""
    if not keeps_cash_box(session.tournament.club):
        return redirect(session_url("cash", session))
    kind = request.GET.get("kind", CSV)
    if kind == PDF:
        language, title = (get_language() or "fr")[:2], _("Treasurer’s sheet")
        name = f"{session.tournament.slug}-{session.number}-{slugify(title)}.pdf"
        return download(print_cash_sheet(session, language=language, now=timezone.now()), "application/pdf", name)
    if kind not in (CSV, XLSX):
        raise Http404
    tables = make_cash_tables(session, whole=kind == XLSX)
    return send_file(write_file(tables, kind, session.tournament.slug, session.number, _("cash box")))
