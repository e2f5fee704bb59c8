"""The regular expressions of the scripts, found by TypeScript's parser, and tried by node as browsers match them.

A text of 400 letters may take ten milliseconds. One of 16 000 letters may take fifty: so an expression whose time grows
with the square of the letters is found too.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.law.growing import list_growing
from tests.law.packages import PROJECT

TOOL = Path(__file__).with_name("scripts.cjs")
FOLDERS = ("pages/static", "rooms/static", "templates")
INLINE = re.compile(r"<script\b(?![^>]*json)[^>]*>(.*?)</script>", re.DOTALL)
TAGS = re.compile(r"\{[%{#].*?[%}#]\}", re.DOTALL)
MARKS = "\u0300-\u036f"  # stands for the marks of Unicode, which Python's expressions do not name


class ScriptExpression(NamedTuple):
    """An expression of a script: its place, its text and its flags."""

    place: str
    source: str
    flags: str = ""


def read_scripts() -> dict[str, str]:
    """Return the scripts of the site by their paths, those inside pages too. Tags of templates are left out."""
    paths = [path for folder in FOLDERS for path in sorted((PROJECT / folder).rglob("*")) if path.is_file()]
    scripts = {path: path.read_text() for path in paths if path.suffix in {".js", ".mjs"}}
    scripts |= {path: "\n".join(INLINE.findall(path.read_text())) for path in paths if path.suffix == ".html"}
    return {str(path.relative_to(PROJECT)): TAGS.sub("0", text) for path, text in scripts.items() if text.strip()}


def find_in_scripts(scripts: Mapping[str, str]) -> list[ScriptExpression]:
    """Return the expressions of scripts. Raise ValueError for one that is built from texts that stand elsewhere."""
    typescript = Path(shutil.which("tsc") or "tsc").resolve().parents[1] / "lib" / "typescript.js"
    found = ask_node(scripts, "find", str(typescript))
    if unread := [f"{each['place']}: {each['unread']}" for each in found if "unread" in each]:
        raise ValueError(f"write these expressions as one text: {unread}")
    return [ScriptExpression(**each) for each in found]


def find_slow_in_scripts(expressions: Iterable[ScriptExpression]) -> dict[str, str]:
    """Return the places of the slow expressions, each with an input that is slow: beginning, repeated text, end."""
    asked = [each._asdict() | {"grown": sorted(list_growing(translate(each)))} for each in expressions]
    return dict(ask_node(asked, "try"))


def translate(expression: ScriptExpression) -> re.Pattern[str]:
    """Return an expression of a script as Python writes it, from which inputs are made."""
    in_classes = re.sub(r"\[[^\]]*\]", lambda found: found[0].replace(r"\p{M}", MARKS), expression.source)
    source = in_classes.replace(r"\p{M}", f"[{MARKS}]").replace("(?<", "(?P<").replace("(?P<=", "(?<=")
    return re.compile(source.replace("(?P<!", "(?<!"), re.IGNORECASE if "i" in expression.flags else 0)


def ask_node(told: Any, *command: str) -> Any:
    """Return what the tool answers."""
    asked = ["node", str(TOOL), *command]
    answer = subprocess.run(asked, input=json.dumps(told), capture_output=True, text=True, check=True, timeout=120)
    return json.loads(answer.stdout)
