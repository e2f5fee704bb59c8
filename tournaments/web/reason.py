"""The reason that a director gives for what he decides."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import validate_name


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        validators=[validate_name],
        help_text=_("A few words, kept for good beside your name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
