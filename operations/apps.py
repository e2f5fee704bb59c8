import atexit
import gc
from importlib import import_module

from django.apps import AppConfig
from django.db import connections

# How many new objects there are before the next search for garbage, and of how many searches one looks at older objects
# too. Python's own numbers are 700, 10 and 10, with which a request that makes many objects is searched many times.
SELDOM = (50_000, 20, 20)


def collect_seldom() -> None:
    """Search for garbage seldom, and never among the objects of the start: they are many, and stay until the end.

    Python finalizes no object that is left out. So the process closes its databases itself when it ends. Otherwise the
    last lines of SQLite would stay in a file of their own beside the database.
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
