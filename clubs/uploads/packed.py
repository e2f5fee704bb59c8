"""The bounds on what a ZIP claims, before anything of it is read. XLSX, ODS and archives are ZIPs."""

import io
import zipfile

from clubs.uploads.child import UploadRefused

END, END_OF_LARGE = b"PK\x05\x06", b"PK\x06\x07"
MOST_LIST = 500_000  # bytes of the list of entries: each entry needs 46 and its name
TAIL = 22 + 65_535  # the most bytes from the end of the list to the end of the file
LARGE_BEFORE = 20  # bytes of the record of a large ZIP, before the end of the list


def open_packed(content: bytes, refusal: type[UploadRefused]) -> zipfile.ZipFile:
    """Return an open ZIP whose list of entries is short. Raise `refusal` for a longer one.

    Raise `zipfile.BadZipFile` if it is no ZIP.
    """
    tail = content[-TAIL:]
    at = tail.find(END)
    while at >= 0:
        is_large = tail[max(at - LARGE_BEFORE, 0) : at].startswith(END_OF_LARGE)
        if is_large or int.from_bytes(tail[at + 12 : at + 16], "little") > MOST_LIST:
            raise refusal("upload_parts", "file", most=MOST_LIST // 1000)
        at = tail.find(END, at + 1)
    return zipfile.ZipFile(io.BytesIO(content))
