"""The forms of the cash box. They check only the shape of the values."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import validate_name
from pages.form_fields import MOST_QUOTED
from registration.cash.payers import FeeGiven, write_plain_amount
from tournaments.models import Fee, PrizePlan
from tournaments.rules.cash import AmountError, read_amount


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

    name = forms.CharField(
        label=gettext_lazy("Name of the fee"),
        max_length=60,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
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
