"""What gunicorn reads by itself when it starts here: its access log holds no table's code either."""

from typing import Any

from gunicorn.glogging import Logger

from config.logs import hide_codes


class Discreet(Logger):  # type: ignore[misc]
    def atoms(self, *args: Any) -> dict[str, Any]:
        atoms = super().atoms(*args)
        return {name: hide_codes(value) if isinstance(value, str) else value for name, value in atoms.items()}


logger_class = Discreet
