"""The form in which players say what is wrong with one of their results: a ready phrase, their own words, or both."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from clubs.models import validate_name
from tournaments.errors import ActionRefused
from tournaments.words.messages import say

MOST_TYPED = 400
PHRASES = {
    "score": _("The score is wrong"),
    "taker": _("The taker is wrong"),
    "bouts": _("The bouts are wrong"),
    "etui": _("It was another étui"),
}
OTHER = "other"


class CorrectionAskForm(forms.Form):
    what = forms.ChoiceField(
        label=_("What is wrong?"),
        choices=[*PHRASES.items(), (OTHER, _("Something else"))],
        required=False,
        widget=forms.RadioSelect,
    )
    text = forms.CharField(
        label=_("In a few words"),
        max_length=MOST_TYPED,
        required=False,
        validators=[validate_name],
        help_text=_(
            "What it should be, as you remember it. The other players of the table and the director read this."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off"}),
    )

    def __init__(self, posted: QueryDict | None = None, *, of_deals: bool = False) -> None:
        """Cut the posted values before they are checked, so that the page never repeats a very long text.

        If the tables deal (`of_deals`), no phrase speaks of étuis.
        """
        given = posted and {
            "what": posted.get("what", "")[:40],
            "text": " ".join(posted.get("text", "")[:2000].split()),
        }
        super().__init__(given)
        if of_deals:
            what: Any = self.fields["what"]
            what.choices = [choice for choice in what.choices if choice[0] != "etui"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not self.told:
            self.add_error("text", say(ActionRefused("request_empty", "text")))
        return data

    @property
    def told(self) -> str:
        phrase = PHRASES.get(self.cleaned_data.get("what", ""), "")
        return " – ".join(filter(None, (str(phrase), self.cleaned_data.get("text", ""))))
