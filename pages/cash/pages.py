"""The pages of the cash box: payments beside the check-in and the desk, fees, prizes, and the treasurer's sheet.

The forms check only the shape of the values.
"""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from outgoing.paper.cash_sheet import print_cash_sheet
from outgoing.sheets.director_tables import make_cash_tables
from outgoing.sheets.files import CSV, XLSX, write_file
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, FORM, READING, refuse, session_page, session_url
from pages.downloads import download, send_file
from pages.form_fields import MOST_QUOTED, ShortTextField
from registration.cash.payers import (
    FeeGiven,
    end_fee,
    keeps_cash_box,
    list_fees,
    list_payers,
    require_cash_box,
    save_fee,
    write_amount,
    write_plain_amount,
)
from registration.cash.payments import PaidBy, PaymentGiven, count_cash, give_back, make_cash_sums, take_payment
from registration.cash.prizes import find_prize_plan, hand_prize, propose_prizes, save_prize_plan, take_prize_back
from registration.errors import CashRefused
from tournaments.models import Fee, Payment, PrizePlan, Session
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import Can, power_of
from tournaments.rules.cash import AmountError, read_amount
from tournaments.words.messages import say


class AmountField(forms.Field):
    """A field for an amount of money. Its value is a whole number of cents."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(widget=widget, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        if not text:
            return 0 if not self.required else None
        try:
            return read_amount(text)
        except AmountError as error:
            told = _("“%(text)s” is not an amount: write one of 0 to 99,999.99 euros, such as 12.50.") % {
                "text": text[:MOST_QUOTED]
            }
            raise forms.ValidationError(told) from error

    def prepare_value(self, value: Any) -> Any:
        return write_plain_amount(value) if isinstance(value, int) else value


class FeeForm(forms.Form):
    """A form for a fee of the tournament."""

    name = ShortTextField(gettext_lazy("Name of the fee"), 60)
    cents = AmountField(label=gettext_lazy("Amount in euros"))
    preset = forms.ChoiceField(
        label=gettext_lazy("Proposed to"), choices=Fee.FeePreset.choices, initial=Fee.FeePreset.EVERYBODY
    )

    @property
    def given(self) -> FeeGiven:
        return FeeGiven(**self.cleaned_data)


class CountForm(forms.Form):
    """A form for the cash that was counted after the evening."""

    counted = AmountField(label=gettext_lazy("Cash counted, in euros"))
    float_cents = AmountField(label=gettext_lazy("Of it, in the box before the evening"), required=False)


class PrizePlanForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form for the pot and the list of prizes."""

    added = AmountField(label=gettext_lazy("Added to the pot, in euros"), required=False)
    field_order = ("share", "added", "lines", "one_each")

    class Meta:
        model = PrizePlan
        fields = ("share", "added", "lines", "one_each")
        widgets = {
            "lines": forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "placeholder": "1: 40 %\n2: 25 %\n3: 15"}),
            "share": forms.NumberInput(attrs={"min": 0, "max": 100, "inputmode": "numeric"}),
        }
        help_texts = {
            "lines": gettext_lazy(
                "One prize on each line: the rank, a colon, an amount or a share of the pot. “4-8: 5” is five euros "
                "for each of the ranks 4 to 8, “junior 1: 10” a prize for the first junior. Equals share the sum of "
                "their places."
            ),
            "one_each": gettext_lazy(
                "Whoever wins a prize in the ranking of everybody, or in an earlier category, takes no other one."
            ),
        }


@session_page(Can.ENTER)
def cash(request: HttpRequest, session: Session) -> HttpResponse:
    """Show who has paid, who owes, and the buttons to take a payment or to give it back."""
    context: dict[str, Any] = {"session": session, "on": keeps_cash_box(session.tournament.club)}
    context["directs"] = power_of(request.user, session.tournament.club) >= Can.DIRECT
    if context["on"]:
        payers = list_payers(session)
        parts = {
            "owing": [each for each in payers if each.owes],
            "expected": [each for each in payers if not each.here and not each.withdrew and each.payment is None],
            "paid": [each for each in payers if each.payment is not None and not each.withdrew],
            "gone": [each for each in payers if each.payment is not None and each.withdrew],
        }
        context["count"] = sum(not each.again for each in parts["paid"])
        cents = sum(each.payment.cents for each in payers if each.payment is not None)
        context |= parts | {"fees": list_fees(session.tournament), "ways": Payment.PaymentWay.choices, "cents": cents}
        context["back"] = read_number(request.GET, "back")
    return render(request, "cash/cash.html", context)


@session_page(Can.ENTER, ACTION, back="cash")
def cash_take(request: HttpRequest, session: Session) -> HttpResponse:
    """Take a payment. With `here`, the payer is marked as present, too."""
    given = PaymentGiven(read_number(request.POST, "fee"), read_way(request), request.POST.get("reason", "")[:300])
    who = request.POST.get("who", "")
    number = parse_number(who[1:])
    payer = PaidBy(applicant=number) if who.startswith("a") else PaidBy(player=number)
    paid = take_payment(session_id=session.pk, payer=payer, given=given, here="here" in request.POST, **signed(request))
    text = _("%(name)s: %(amount)s") % {"name": paid.player or paid.applicant, "amount": write_amount(paid.cents)}
    if "registration" in request.POST and power_of(request.user, session.tournament.club) >= Can.DIRECT:
        return done(request, text, f"{session_url('registration', session)}#applicant-{number}")
    return done(request, text, f"{session_url('cash', session)}#owing")


def read_way(request: HttpRequest) -> str:
    """Return the way of paying in the form, cash by default. Raise `CashRefused` for an unknown one."""
    way = request.POST.get("way") or Payment.PaymentWay.CASH
    if way not in Payment.PaymentWay.values:
        raise CashRefused("payment_unknown")
    return way


@session_page(Can.DIRECT, ACTION, back="cash")
def cash_give_back(request: HttpRequest, session: Session) -> HttpResponse:
    """Give a payment back. Without a reason, show the field for it again."""
    number, reason = read_number(request.POST, "payment"), request.POST.get("reason", "")[:300]
    try:
        give_back(session_id=session.pk, payment_id=number, reason=reason, **signed(request))
    except CashRefused as refusal:
        if refusal.code != "reason_missing":
            raise
        return refuse(request, refusal, f"{session_url('cash', session)}?back={number}#payment-{number}")
    return done(request, _("The money is given back."), f"{session_url('cash', session)}#paid")


@session_page(Can.DIRECT, FORM)
def cash_fees(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the fees of the tournament. A POST adds, changes or ends one."""
    fees = list_fees(session.tournament)
    changed = next((fee for fee in fees if fee.pk == read_number(request.GET, "change")), None)
    initial = {"name": changed.name, "cents": changed.cents, "preset": changed.preset} if changed else {}
    if request.method == "POST" and (ended := read_number(request.POST, "end")):
        end_fee(tournament=session.tournament, fee_id=ended, now=timezone.now())
        return redirect(session_url("cash_fees", session))
    form = FeeForm(request.POST or None, initial=initial)
    if form.is_valid():
        require_cash_box(session.tournament.club)
        with refusals_in(form):
            fee_id = changed.pk if changed else 0
            save_fee(tournament=session.tournament, given=form.given, fee_id=fee_id, now=timezone.now())
            return done(request, _("The fee is saved."), session_url("cash_fees", session))
    elif not form.is_bound and not keeps_cash_box(session.tournament.club):
        return redirect(session_url("cash", session))
    return render(request, "cash/fees.html", {"session": session, "fees": fees, "form": form, "changed": changed})


@session_page(Can.DIRECT, FORM)
def cash_prizes(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the prizes. A POST saves the pot and the list."""
    form = PrizePlanForm(request.POST or None, instance=find_prize_plan(session))
    if form.is_valid():
        with refusals_in(form):
            save_prize_plan(session_id=session.pk, given=form.cleaned_data)
            return done(request, _("The prizes are saved."), session_url("cash_prizes", session))
    elif not form.is_bound and not keeps_cash_box(session.tournament.club):
        return redirect(session_url("cash", session))
    proposal = propose_prizes(session)
    context = {"session": session, "form": form, "proposal": proposal}
    context["unreadable"] = say(proposal.unreadable) if proposal.unreadable else ""
    return render(request, "cash/prizes.html", context)


@session_page(Can.DIRECT, ACTION, back="cash_prizes")
def cash_hand(request: HttpRequest, session: Session) -> HttpResponse:
    """Store that a prize was handed over or, with `back`, that it was given back."""
    seen = request.POST.get("seen", "")
    given: dict[str, Any] = {"player_id": read_number(request.POST, "player"), "seen": parse_number(seen)}
    if "back" in request.POST:
        take_prize_back(session_id=session.pk, **given, **signed(request))
    else:
        hand_prize(session_id=session.pk, **given, **signed(request))
    return redirect(f"{session_url('cash_prizes', session)}#prizes")


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
