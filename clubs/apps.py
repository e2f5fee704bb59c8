from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClubsConfig(AppConfig):
    name = "clubs"
    verbose_name = _("Clubs and accounts")

    def ready(self) -> None:
        from clubs.guard import log_in  # noqa: F401  (it receives the signals of log-ins)
