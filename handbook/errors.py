"""The error for a file of the handbook that breaks the format."""


class HandbookError(ValueError):
    """The error for a page, deal or exercise that breaks the format of `docs/handbook.md`. Only authors see it."""
