import atexit
import gc
from importlib import import_module

from django.apps import AppConfig
from django.db import connections

# Limits of Python's garbage collector. The first is the number of new objects before a search. The second is the number
# of searches before one that looks at older objects too. The third is the number of those before one that looks at all
# objects. With Python's own limits (700, 10, 10), a request that makes many objects is searched many times.
SELDOM = (50_000, 20, 20)


def collect_seldom() -> None:
    """Search for garbage seldom, and never among the objects made at the start: they are many, and stay until the end.

    Python does not finalize the objects that are left out. So the process closes its databases itself when it ends.
    Otherwise the last lines of SQLite would stay in a file of their own beside the database.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()
    atexit.register(connections.close_all)


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        import_module("operations.tasks")
        collect_seldom()
