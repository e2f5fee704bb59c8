"""The breaches of the law of packages in a module, found from its name and source."""

import ast
import re
from collections.abc import Iterator, Mapping

from tests.law.packages import (
    LEVELS,
    PAGES,
    PROGRAMS,
    ROOTS,
    find_imported_names,
    find_imports,
    is_pure,
    is_subject,
    package_of,
    page_of,
    within,
)
from tests.law.uses import find_calls, find_texts, find_uses

# The libraries that pure code may use, because their functions depend on their arguments alone.
KEPT = {"rapidfuzz", "markdown_it", "mdurl"}
APPS = {
    "deals": ("scoring", "referee", "bots", "movements"),
    "clubs": ("scoring", "referee", "bots", "movements", "deals"),
    "movements": ("scoring", "referee", "bots"),
}
OURS = (
    "tournaments",
    "evenings",
    "rankings",
    "registration",
    "archives",
    "outgoing",
    "handbook",
    "pages",
    "api",
    "jobs",
)
LOCKS, LOCKING = "tournaments.locks", "select_for_update"
UNLOCKED = (PAGES, PROGRAMS, "pages.templatetags", "outgoing.paper", "tournaments.words")
READING = (PAGES, PROGRAMS, "pages.templatetags", "outgoing.paper", "config.urls")

# The part of the standard library that pure code may use: same arguments, same result, no side effects.
PURE_LIBRARY = {
    *("bisect", "collections", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools"),
    *(
        "hashlib",
        "heapq",
        "io",
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "statistics",
        "string",
        "struct",
        "tomllib",
    ),
    *("types", "typing", "unicodedata"),
}
# Names that differ from one run to the next, or that reach beyond the arguments.
IMPURE_NAMES = {"now", "utcnow", "today", "environ", "getenv", "__import__"}
IMPURE_BUILTINS = {"open", "print", "input", "eval", "exec", "compile", "breakpoint", "io.open", "io.FileIO"}

# Subjects write the rows of `tournaments`, with locks and logs. Pages and the API call subjects.
WRITES = {"create", "bulk_create", "bulk_update", "update_or_create", "get_or_create"}
WRITES |= {f"a{name}" for name in (*WRITES, "save", "delete", "update")}
SAVED_WITH = {"force_insert", "force_update", "using", "update_fields"}
# SQL is written by hand where Django is too slow. Each time a decision gives the measured time.
SQL_MODULES = (
    *(LOCKS, "evenings.glance", "tournaments.prepared", "tournaments.published", "tournaments.versions"),
    "evenings.plays.entering",
)
SQL_METHODS = {"cursor", "chunked_cursor", "execute", "executemany", "callproc", "raw", "extra"}
SQL_NAMES = {"RawSQL"}
LOCKING_SQL = re.compile(r"\bfor\s+(no\s+key\s+)?(update|(key\s+)?share)\b|\block\s+table\b|pg_advisory", re.IGNORECASE)
REQUESTS = (
    *("django.http", "django.template", "django.shortcuts", "django.views", "django.forms", "django.middleware"),
    *("django.contrib.messages", "django_htmx", "rest_framework"),
)
CLOCKS = {
    *("django.utils.timezone.now", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today"),
    *("datetime.date.today", "time.time", "time.time_ns", "time.localtime", "time.gmtime"),
    "django.db.models.functions.Now",
}
CLOCKS_WITHOUT_MOMENT = {"django.utils.timezone.localdate", "django.utils.timezone.localtime"}

# The exceptions to the law: module and name, with the reason.
NAMED: Mapping[tuple[str, str], str] = {
    ("tournaments.permissions", "django.http"): (
        "what is not there is `Http404`, as Django's own `PermissionDenied` is beside it: pages and API answer both"
    ),
    ("outgoing.mailing.feuilles", "django.template.loader"): "the body of a mail is a template, as pages are",
    ("outgoing.mailing.queued", "django.template.loader"): "the body of a mail is a template, as pages are",
    ("tournaments.job_health", "execute"): "a pipeline of Redis, which asks for the oldest jobs at once, and no SQL",
    ("tournaments.queue", "time.time"): "pauses between jobs, which processes share in Redis: no row has that moment",
    ("tournaments.published", "django.db.models.functions.Now"): "what a page calls a ranking while it is read",
    ("rankings.kinds", "django.utils.timezone.now"): "the end of a window, which any reader may find",
    ("api.log_in", "form.save"): "a second step's form of allauth, which keeps the code's use",
    ("pages.accounts.forms", ".save"): "a form of allauth, which sets the new password",
}


def find_breaches(module: str, source: str, named: Mapping[tuple[str, str], str] = NAMED) -> list[str]:
    """Return the breaches of the law in a module of this name and source, without those in `named`."""
    tree = ast.parse(source)
    found = [breach for name in find_imports(module, tree) if (breach := refuse_import(module, name))]
    checks = []
    if is_pure(module):
        found += [f"pure {module} uses {name}" for name in find_impure(tree)]
    if within(module, OURS):
        checks += [refuse_locking, refuse_import_by_text]
        checks += [] if within(module, SQL_MODULES) else [refuse_sql]
    if within(module, READING):
        checks += [refuse_writes]
    if is_subject(module):
        checks += [refuse_requests, refuse_clocks]
    told = [each for check in checks for each in check(module, tree) if (module, each[0]) not in named]
    return [*found, *(text for _, text in told)]


def refuse_import(module: str, name: str) -> str | None:
    """Return the fault of a module that imports `name`, or None."""
    root, mine, its = name.split(".")[0], package_of(module), package_of(name)
    if is_pure(module) and not is_pure(name):
        return None if root in KEPT or root in PURE_LIBRARY else f"pure {module} imports {name}"
    if root not in ROOTS:
        return None
    if within(name, APPS.get(module.split(".")[0], ())):
        return f"{module} imports {name}"
    if mine != its and its and mine and LEVELS[its] >= LEVELS[mine]:
        return f"{module} imports {name}, which does not stand before it"
    if name == LOCKS and within(module, UNLOCKED):
        return f"{module} imports {name}, which is for those who write"
    if page_of(module) and page_of(name) not in ("", page_of(module)):
        return f"{module} imports {name}, which is another page's"
    shares = within(module, (PAGES,)) and not within(module, ("pages.templatetags",))
    if shares and not page_of(module) and page_of(name):
        return f"{module} imports {name}, which is one page's: what pages share imports no page"
    return None


Told = Iterator[tuple[str, str]]


def find_impure(tree: ast.Module) -> list[str]:
    """Return the names by which pure code would use a clock, random numbers, the machine or a file."""
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    uses = {name for name, _ in find_uses(tree)}
    return sorted(attributes & IMPURE_NAMES | uses & (IMPURE_BUILTINS | {"__import__"}))


def refuse_locking(module: str, tree: ast.Module) -> Told:
    """Yield each lock on rows outside `locks`: the call, its name as a text, or SQL that locks."""
    if module == LOCKS:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == LOCKING:
            yield LOCKING, f"{module} locks rows in line {node.lineno}: let {LOCKS} do it"
    for text, line in find_texts(tree):
        if text == LOCKING or LOCKING_SQL.search(text):
            yield text, f"{module} locks rows by SQL in line {line}: let {LOCKS} do it"


def refuse_import_by_text(module: str, tree: ast.Module) -> Told:
    """Yield each import whose name is made from a text, because the law cannot read it."""
    for name, line in find_uses(tree):
        if name in {"importlib.import_module", "__import__"} and module != "tournaments.apps":
            yield name, f"{module} imports by a text in line {line}"


def refuse_sql(module: str, tree: ast.Module) -> Told:
    """Yield each query or write in SQL by hand."""
    for name, call in find_calls(tree):
        last = name.rpartition(".")[2]
        if ("." in name and last in SQL_METHODS) or last in SQL_NAMES:
            yield last, f"{module} writes SQL in line {call.lineno}: ask by a queryset"


def refuse_writes(module: str, tree: ast.Module) -> Told:
    """Yield each write of rows. Some methods of Django are told from those of lists and sets by their arguments."""
    for name, call in find_calls(tree):
        last, keywords = name.rpartition(".")[2], {each.arg for each in call.keywords}
        written = "." in name and (
            last in WRITES
            or (last == "update" and not call.args and call.keywords)
            or (last == "delete" and not call.args and not call.keywords)
            or (last == "save" and not call.args and keywords <= SAVED_WITH)
        )
        if written:
            yield name, f"{module} writes rows in line {call.lineno}: let a subject do it"


def refuse_requests(module: str, tree: ast.Module) -> Told:
    """Yield each import of a module about requests, answers, forms or templates."""
    for base, names in find_imported_names(module, tree):
        for name in (base, *(f"{base}.{each}" for each in names)):
            if within(name, REQUESTS):
                yield name, f"subject {module} imports {name}, which is for pages and the API"
                break


def refuse_clocks(module: str, tree: ast.Module) -> Told:
    """Yield each look at the wall clock. `monotonic` is allowed, because it measures durations."""
    for name, line in find_uses(tree):
        if name in CLOCKS:
            yield name, f"subject {module} looks at the clock in line {line}: take `now`"
    for name, call in find_calls(tree):
        if name in CLOCKS_WITHOUT_MOMENT and not call.args:
            yield name, f"subject {module} looks at the clock in line {call.lineno}: take `now`"
