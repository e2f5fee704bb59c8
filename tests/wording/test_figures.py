"""The reading of figures as people write them, and the texts that are no figures."""

from decimal import Decimal

import pytest

from wording.figures import FigureError, read_figure, read_whole_figure


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("12,5", "12.5"),
        ("12.50", "12.5"),
        ("1 044", "1044"),
        ("1\N{NO-BREAK SPACE}044", "1044"),
        ("12\N{NARROW NO-BREAK SPACE}345\N{THIN SPACE}678,9", "12345678.9"),
        ("−52", "-52"),
        ("– 52", "-52"),
        ("-1 044", "-1044"),
        ("+7", "7"),
        (" 8 ", "8"),
        ("40½", "40.5"),
        ("0012", "12"),
        ("0", "0"),
    ],
)
def test_figure_is_read_as_people_write_it(text, figure):
    assert read_figure(text) == Decimal(figure)


@pytest.mark.parametrize(
    "text", ["", "x", "1 04", "10 44", "1,250.00", "12,", ",5", "1e3", "--5", "5-", "١٢", "1/2", "9" * 13, "1,1234567"]
)
def test_other_text_is_no_figure_and_is_quoted(text):
    with pytest.raises(FigureError) as error:
        read_figure(text)
    assert error.value.text == text


def test_whole_figure_has_no_decimals():
    assert read_whole_figure("1 044,0") == 1044
    with pytest.raises(FigureError, match="10,5"):
        read_whole_figure("10,5")
