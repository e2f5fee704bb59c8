"""A runner of the site's scripts in node, on a small stand-in of a browser (document.js): stories on their screens.

A story is a list of steps: `("press", key)`, `("type", name, value)`, `("send", key of the keyboard)`. After each step
the screen is read as lines of text. What a whole story tells is compared to a file in tests/golden/screens.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from tests.services.site import PROJECT

STATIC = PROJECT / "pages" / "static"
ROOMS = PROJECT / "rooms" / "static" / "rooms"
GOLDEN = PROJECT / "tests" / "golden" / "screens"
Asked = dict[str, Any]  # url, method, body, headers
Answer = dict[str, Any]  # status, text, type
# A story ends before machine code that further threads optimise is of use.
NODE = ("node", "--single-threaded", "--no-opt")
STORY = """
import { stage } from "./document.js";
const { document, settle, pass, read, press, type, tick, send } = stage;
const ways = { press, type, tick, send, pass, back: () => history.back(), offline: (on) => void (stage.offline = on) };
async function play(given, places) {
  const told = [];
  for (const [step, ...rest] of [["pass", 0], ...given]) {
    await ways[step](...rest);
    await settle();
    told.push(places.flatMap((id) => read(document.getElementById(id))));
  }
  return told;
}
const tell = (told) => process.stdout.write(`${JSON.stringify({ told })}\n`, () => process.exit());
"""


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the scripts of the site, which node takes for modules."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "package.json").write_text('{"type": "module"}')
    for part in ("game", "table", "js"):
        shutil.copytree(STATIC / part, folder / part)
    shutil.copytree(ROOMS, folder / "rooms")
    for stood in ("document.js", "database.js"):
        shutil.copy(Path(__file__).parent / stood, folder)
    return folder


def run(scripts: Path, source: str, *, site: Callable[[Asked], Answer] | None = None, **given: object) -> Any:
    """Return what a script tells by `tell(value)`. The values of `given` are constants with these names.

    `site` answers what the script fetches.
    """
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
    (scripts / "story.js").write_text(f"{STORY}{constants}{source}")
    pipe = subprocess.PIPE
    with subprocess.Popen([*NODE, "story.js"], cwd=scripts, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as node:
        assert node.stdin
        assert node.stdout
        assert node.stderr
        try:
            for line in node.stdout:
                said = json.loads(line)
                if "told" in said:
                    return said["told"]
                assert site is not None, f"nobody answers {said}"
                node.stdin.write(json.dumps(site(said)) + "\n")
                node.stdin.flush()
        except BaseException:
            node.kill()  # it would wait for an answer, and the test for its end
            raise
        raise AssertionError(node.stderr.read()[-3000:])


def shorten(before: list[str], lines: list[str]) -> list[str]:
    """Return the lines of a screen, with "…" for the first and the last ones that the screen before has too."""
    most = min(len(before), len(lines))
    first = next((place for place in range(most) if before[place] != lines[place]), most)
    last = next((place for place in range(most - first) if before[-1 - place] != lines[-1 - place]), most - first)
    middle = lines[first : len(lines) - last]
    return [*["…"][: first > 0], *middle, *["…"][: last > 0]]


def check_story(
    name: str,
    steps: list[tuple[object, ...]],
    told: list[list[str]],
    tmp_path: Path,
    known: Callable[[str], str] = lambda line: line,
) -> None:
    """Compare what the screens told after each step to the file of this story.

    `known` replaces what differs from run to run in a line, for example an id.
    """
    kept = GOLDEN / f"{name}.txt"
    parts = []
    for step, before, lines in zip([("begin",), *steps], [[], *told], [*told], strict=False):
        screen = [f"  {line}" for line in shorten(before, lines)]
        parts += [*map(known, ("> " + " ".join(map(str, step)), *screen)), ""]
    expected = kept.read_text().splitlines() if kept.exists() else []
    if parts != expected:
        found = tmp_path / kept.name
        found.write_text("\n".join(parts) + "\n")
        differs = "\n".join(unified_diff(expected, parts, "expected", "found", lineterm="", n=2))
        pytest.fail(f"{differs}\n\nIf each change is wanted: cp {found} {kept}", pytrace=False)
