#!/bin/sh
# Double click this file on macOS to start Topage; `sh Topage.command` does the same on Linux.
# The first start installs Topage, after a question. Later starts need no internet and keep the installed release.
# A file topage-….whl beside this one is installed in place of the newest release.
set -eu
PATH="$HOME/.local/bin:$PATH"
if ! command -v topage >/dev/null; then
    printf '%s\n' "Topage n’est pas encore installé. L’installation demande Internet, une seule fois." \
        "Topage is not installed yet. The installation needs the internet, only once."
    printf '%s' "Installer maintenant ? Install now? (o/n) "
    read -r answer
    case $answer in
        [oOyY]*) ;;
        *) exit 0 ;;
    esac
    command -v uv >/dev/null || curl -LsSf https://astral.sh/uv/install.sh | sh
    release=topage
    for wheel in "$(dirname "$0")"/topage-*.whl; do
        [ ! -f "$wheel" ] || release=$wheel
    done
    uv tool install --python 3.12 "$release"
    uv tool update-shell >/dev/null 2>&1 || true # from now on, a new terminal knows `topage`
fi
exec topage
