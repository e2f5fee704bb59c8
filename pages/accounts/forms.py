"""The forms of the accounts' pages, with the site's own texts. The library allauth defines what the forms do."""

from typing import Any

from allauth.account import forms as account
from allauth.core import context
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.guard import know_account
from clubs.guard.log_in import find_full_count, is_locked_for_the_day

PASSWORD, NEW, AGAIN = _("Password"), _("New password"), _("New password, again")
CODE = _("Code")
LOCKED = _(
    "Too many wrong passwords were typed just now, perhaps by somebody else. Yours was not checked: wait ten seconds,"
    " then type it again."
)
LOCKED_FOR_THE_DAY = _(
    "Too many wrong passwords were tried for this account today. Log in on a device that you have used before. Or "
    "choose a new password with “Forgotten password”: that device can then log in."
)
RULE = _("At least eight characters; three words are easy to remember.")


def name_fields(form: forms.Form, **labels: Any) -> None:
    """Set the labels of the fields, and remove the placeholders, which would repeat the labels."""
    for name, field in form.fields.items():
        field.widget.attrs.pop("placeholder", None)
        field.label = labels.get(name, field.label)
        if name in ("password", "oldpassword", "password1"):
            field.help_text = RULE if name == "password1" else ""


class LoginForm(account.LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, login=_("Account name or e-mail address"), password=PASSWORD)
        self.fields["login"].widget.attrs |= {"autocomplete": "username", "autofocus": True}

    def add_prefix(self, field_name: str) -> str:
        """Return the field's name in HTML: "username" for the login field, because password managers look for it."""
        return "username" if field_name == "login" else super().add_prefix(field_name)

    def clean(self) -> Any:
        try:
            return super().clean()
        except forms.ValidationError as error:
            if find_full_count(self.request) is not None:
                self.request.says_why_locked = True
                text = LOCKED_FOR_THE_DAY if is_locked_for_the_day(self.request) else LOCKED
            else:
                text = _("Wrong name or password. Capitals count in the password.")
            raise forms.ValidationError(text) from error


class ChangePasswordForm(account.ChangePasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, oldpassword=_("Current password"), password1=NEW, password2=AGAIN)


class ForgottenForm(account.ResetPasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, email=_("E-mail address"))


class ChooseForm(account.ResetPasswordKeyForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, password1=NEW, password2=AGAIN)

    def save(self) -> None:
        """Save the password and mark this device as known. Wrong passwords on other devices then do not lock it out."""
        super().save()
        know_account(context.request, self.user)


class EmailForm(account.AddEmailForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, email=_("New e-mail address"))


class ConfirmForm(account.ReauthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, password=PASSWORD)


class CodeForm(mfa.AuthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, code=CODE)
        self.fields["code"].widget.attrs |= {"autofocus": True, "inputmode": "numeric"}


class ConfirmCodeForm(mfa.ReauthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, code=CODE)


class ActivateForm(ActivateTOTPForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_fields(self, code=_("Code shown by the app"))
        self.fields["code"].widget.attrs["inputmode"] = "numeric"
