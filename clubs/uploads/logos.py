"""The pictures that clubs upload as logos: a child process decodes each one and writes it again."""

import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from clubs.uploads.child import UploadRefused, read_in_child
from wording import Texts
from wording import gettext_noop as _

if TYPE_CHECKING:
    from PIL import Image

MOST_BYTES = 300_000
MOST_PIXELS = 16_000_000
SHOWN = (960, 480)  # the largest size of a stored logo in pixels; pages show it 64 pixels high
# The first bytes of the accepted types of files. Browsers show these types, and they cannot hold a script.
KINDS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG"}
BROKEN = (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, ArithmeticError, struct.error, zlib.error)


class LogoRefused(UploadRefused):
    """A picture that cannot be a logo."""

    messages: ClassVar[Texts] = {
        "logo_bytes": _("The picture is too large: 300 kB at most. Make it smaller."),
        "logo_pixels": _("The picture is too large: 16 megapixels at most. Make it smaller."),
        "logo_kind": _("Only PNG and JPEG pictures are accepted: save yours as one of them."),
        "upload_unreadable": _("The picture cannot be read: save it again as PNG or JPEG."),
    }


class Logo(NamedTuple):
    """A logo as this site has written it. Empty data (`NO_LOGO`) means: remove the logo."""

    kind: str
    data: bytes


NO_LOGO = Logo("", b"")


def draw_logo(sent: bytes) -> Logo:
    """Return the picture in these bytes, decoded and written again as a logo.

    It has only the first frame, no metadata, and a size that fits a page. Raise `LogoRefused` if the file is not a
    picture, or too large.
    """
    if len(sent) > MOST_BYTES:
        raise LogoRefused("logo_bytes", "logo")
    kind = next((kind for begins, kind in KINDS.items() if sent.startswith(begins)), None)
    if kind is None:
        raise LogoRefused("logo_kind", "logo")
    return Logo(
        f"image/{kind.lower()}", read_in_child("clubs.uploads.logos.write_picture", sent, kind, refusal=LogoRefused)
    )


def write_picture(sent: bytes, kind: str) -> bytes:
    """Return the picture as a logo, in the child process."""
    from PIL import Image

    try:
        with Image.open(BytesIO(sent), formats=[kind]) as picture:
            if picture.width * picture.height > MOST_PIXELS:  # the size is read before anything is decoded
                raise LogoRefused("logo_pixels", "logo")
            return write_logo(picture, kind)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise LogoRefused("logo_pixels", "logo") from None
    except BROKEN:
        raise LogoRefused("upload_unreadable", "logo") from None


def write_logo(picture: "Image.Image", kind: str) -> bytes:
    """Return the first frame of an open picture as a logo: turned upright, with its transparency, without metadata."""
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(picture)
    if upright.mode.startswith("I"):  # a picture with 16 bits for each colour
        upright = upright.point(lambda value: value * (1 / 256)).convert("L")
    mode = "RGB" if kind == "JPEG" else "RGBA" if upright.has_transparency_data else "RGB"
    shown = upright.convert(mode)
    shown.thumbnail(SHOWN)
    while True:
        pixels, written = Image.frombytes(mode, shown.size, shown.tobytes()), BytesIO()  # copy nothing but the pixels
        pixels.save(written, kind, optimize=True, quality=90)
        if written.tell() <= MOST_BYTES:
            return written.getvalue()
        shown.thumbnail((max(1, shown.width // 2), max(1, shown.height // 2)))
