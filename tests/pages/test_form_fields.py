"""The fields for typed figures: each form with points, marks, notes or amounts reads them as people write them."""

from decimal import Decimal

import pytest
from django import forms
from django.utils import translation

from pages.cash.pages import AmountField
from pages.club.settings import SettingsForm
from pages.form_fields import FigureField, WholeFigureField, read_plain_text
from pages.games.page import FreeDealsForm
from pages.penalty_forms import SanctionForm, UsualPenaltyForm
from pages.play.adjust_forms import ScoreForm
from pages.play.entry_forms import FactsForm, FicheForm
from pages.prepare.setup_forms import make_setting_field
from pages.series.forms import SeriesForm, WeightForm
from scoring.formats import INDIVIDUAL


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("text", "figure"),
    [("12,5", "12.5"), ("12.50", "12.5"), ("−52", "-52"), ("– 52", "-52"), ("+7", "7"), ("1\u202f044", "1044")],
)
def test_figure_is_read_alike_in_both_languages(text, figure, language):
    with translation.override(language):
        assert FigureField().clean(text) == Decimal(figure)
        assert "." in figure or WholeFigureField().clean(text) == int(figure)


@pytest.mark.parametrize("field", [FigureField(), WholeFigureField(), AmountField()])
def test_refusal_quotes_what_cannot_be_read(field):
    with translation.override("fr"), pytest.raises(forms.ValidationError) as caught:
        field.clean("douze")
    assert caught.value.messages[0].startswith("«\N{NO-BREAK SPACE}douze\N{NO-BREAK SPACE}» n’est pas un ")


def test_whole_figure_has_no_decimals():
    with translation.override("fr"), pytest.raises(forms.ValidationError) as caught:
        WholeFigureField().clean("12,5")
    assert "n’est pas un nombre entier" in caught.value.messages[0]


def test_field_that_may_be_empty_and_one_with_bounds():
    assert FigureField(required=False).clean(" ") is None
    assert WholeFigureField(required=False).clean("") is None
    assert FigureField().clean(Decimal("1.5")) == Decimal("1.5")
    with pytest.raises(forms.ValidationError):
        FigureField(max_value=100, decimal_places=2).clean("100,01")
    with pytest.raises(forms.ValidationError):
        FigureField(max_value=100, decimal_places=2).clean("1,234")
    with pytest.raises(forms.ValidationError):
        WholeFigureField(min_value=0).clean("−1")


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        (FactsForm.base_fields["points"], FigureField),
        (FicheForm.base_fields["figure"], WholeFigureField),
        (ScoreForm.base_fields["figure"], WholeFigureField),
        (SanctionForm.base_fields["points"], FigureField),
        (UsualPenaltyForm.base_fields["points"], FigureField),
        (SeriesForm.base_fields["presence"], FigureField),
        (WeightForm.base_fields["coefficient"], FigureField),
        (FreeDealsForm.base_fields["three_weight"], FigureField),
        (FreeDealsForm.base_fields["five_weight"], FigureField),
        (SettingsForm.base_fields["fixed_note"], FigureField),
    ],
)
def test_forms_of_results_and_settings_take_these_fields(field, kind):
    assert type(field) is kind


def test_coefficient_of_a_session_takes_this_field():
    assert type(make_setting_field("coefficient", INDIVIDUAL)) is FigureField


@pytest.mark.parametrize(
    ("typed", "read"), [("62,5", "62.5"), ("− 3,162", "-3.162"), ("+12,5", "12.5"), ("40½", "40.5"), ("175/2", "175/2")]
)
def test_note_that_an_arbiter_types_is_a_figure_or_a_fraction(typed, read):
    assert read_plain_text(typed) == read
