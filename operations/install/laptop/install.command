#!/bin/sh
# Install Topage from the files beside this one, without the internet, and start it. Python 3.12 must be there.
set -eu
cd "$(dirname "$0")"
place="$HOME/.local/share/topage"
python3.12 -m venv "$place"
"$place/bin/python" -m pip install --quiet --upgrade --no-index --find-links . topage
mkdir -p "$HOME/.local/bin"
ln -sf "$place/bin/topage" "$HOME/.local/bin/topage"
exec "$HOME/.local/bin/topage"
