"""The form for the results of a club on another site: pages of a simultaneous and of uploaded files show it."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import validate_name

MOST_MEGABYTES = 15  # of an archive with results; the server refuses any request that is a little larger


class ResultsForm(forms.Form):
    """The results of a club on another site."""

    club = forms.CharField(label=gettext_lazy("The club’s name"), max_length=120, validators=[validate_name])
    file = forms.FileField(label=gettext_lazy("The archive of its tournament (ZIP)"), max_length=200)

    def clean_file(self) -> Any:
        return check_size(self.cleaned_data["file"], MOST_MEGABYTES)


def check_size(upload: Any, megabytes: int) -> Any:
    """Return an uploaded file. Raise `ValidationError` if it has more than so many megabytes."""
    if upload.size > megabytes * 1_000_000:
        raise ValidationError(_("The file is larger than %(most)s MB: choose the right one.") % {"most": megabytes})
    return upload
