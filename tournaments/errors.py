"""What a write refuses, with a code that the pages and the API turn into words (`tournaments.words.messages`)."""


class Refused(Exception):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    def __init__(self, code: str, field: str = "", **params: object) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(f"{field}: {code} {params or ''}".strip(": "))


class Conflict(Refused):
    """Somebody else was faster: what is stored now is not what the writer had seen."""
