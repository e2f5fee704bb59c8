"""The path converters for parts of an address that are text: `secret` for whatever opens something, and `base36`."""

from django.urls.converters import StringConverter


class SecretConverter(StringConverter):
    """A path converter for `<secret:name>`: a token, a link or a key, which opens something for whoever has it.

    Lines of the log leave these parts out (`config.logs`).
    """


class Base36Converter(StringConverter):
    """A path converter for `<base36:name>`, a number of an account as the library writes it."""

    regex = "[0-9A-Za-z]+"
