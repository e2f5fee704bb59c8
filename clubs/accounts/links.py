"""One-time links by which somebody chooses another password, made by a person where no mail is sent."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from clubs.models import User


def make_password_link(user: User) -> str:
    """The path of a link that serves once, for three days; a log-in or another password ends it."""
    key = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
