from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoomsConfig(AppConfig):
    name = "rooms"
    verbose_name = _("Rooms to play in")

    def ready(self) -> None:
        import_module("rooms.results.rating").register_rooms()
        import_module("rooms.results.etuis").register_etuis()
        import_module("rooms.tasks")
        import_module("pages.parts.etui").register_trials(
            lambda *of: import_module("rooms.web.table.trial").link_to_evening_trial(*of)
        )
