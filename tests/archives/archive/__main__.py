"""The command that writes docs/archive.schema.json anew: `python -m tests.archives.archive`."""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tests.archives.archive.schema import SCHEMA, make_schema  # noqa: E402 - its models need the apps

SCHEMA.write_text(json.dumps(make_schema(), indent=1, ensure_ascii=False) + "\n")
sys.stdout.write(f"{SCHEMA}\n")
