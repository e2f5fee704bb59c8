"""The command `topage` of an installed site: where its data are, and what it says before Django starts.

The data are in the folder Topage of the user's home, or in VAR_DIR. A source folder keeps them in `var`.
"""

import gettext
import locale
import os
import sys
from importlib.metadata import version
from pathlib import Path

from wording import gettext_noop as _

COMMANDS = {
    "topage": _("serve the site of this laptop, and open it in the browser"),
    "topage demo": _("the same, with an invented club"),
    "topage backup FILE": _("write a backup"),
    "topage restore FILE": _("bring a backup back"),
    "topage doctor": _("examine the site, and say what to do"),
    "topage upgrade": _("bring the data to this release, after a backup"),
    "topage serve": _("serve at an address and on a port of your choice"),
    "topage help --commands": _("list all other commands"),
}
ASK = _(
    "There is a site in %(old)s, and none yet in %(new)s.\n1: go on with the one in %(old)s\n"
    "2: begin another one in %(new)s\nType 1 or 2: "
)
REFUSE = _("There is a site in %(old)s, and none yet in %(new)s. Set VAR_DIR to the folder that you mean.")


def prepare_arguments(arguments: list[str]) -> list[str]:
    """Set the environment of a laptop, and return the arguments for Django: `topage` alone starts the site."""
    if arguments[1:] in (["help"], ["--help"], ["-h"], ["--version"]):
        lines = [f"{command:24}{translate(text)}" for command, text in COMMANDS.items()]
        sys.stdout.write("\n".join([version("topage")] if arguments[1] == "--version" else lines) + "\n")
        sys.exit()
    os.environ.setdefault("TOPAGE_COMMAND", "topage")
    if os.environ.get("MODE") == "server":
        return arguments
    is_demo = arguments[1:2] == ["demo"]
    if is_demo:
        os.environ.setdefault("ROOMS", "yes")
    if "VAR_DIR" not in os.environ:
        os.environ["VAR_DIR"] = str(choose_folder(Path.cwd(), Path.home(), is_demo=is_demo))
    return arguments if arguments[1:] else [*arguments, "start"]


def choose_folder(here: Path, home: Path, *, is_demo: bool) -> Path:
    """Return the folder of the data. If only `var` here has a site, ask which to take; without a terminal, refuse."""
    new, old = home / "Topage" / ("demo" if is_demo else ""), here / "var"
    if is_demo or not (old / "db.sqlite3").exists() or (new / "db.sqlite3").exists():
        return new
    folders = {"old": old, "new": new}
    if not sys.stdin.isatty():
        sys.exit(translate(REFUSE) % folders)
    while (answer := input(translate(ASK) % folders)) not in {"1", "2"}:
        pass
    return old if answer == "1" else new


def choose_language() -> str:
    """Return the language of the person at this machine, "fr" or "en"."""
    name = next((os.environ[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(key)), "")
    return "fr" if (name or locale.getlocale()[0] or "").lower().startswith("fr") else "en"


def translate(text: str) -> str:
    """Return the text in the language of the person, without Django."""
    folder = Path(__file__).parent.parent / "tournaments" / "locale"
    return gettext.translation("django", folder, [choose_language()], fallback=True).gettext(text)
