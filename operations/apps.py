import atexit
import gc
from importlib import import_module

from django.apps import AppConfig
from django.db import connections


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        import_module("operations.tasks")
        leave_out_what_stays()


def leave_out_what_stays() -> None:
    """Never search for garbage among the objects made at the start: they are many, and stay until the end.

    Python does not finalize the objects that are left out. So the process closes its databases itself when it ends.
    Otherwise the last lines of SQLite would stay in a file of their own beside the database.
    """
    gc.freeze()
    gc.enable()
    atexit.register(connections.close_all)
