"""A minimal workbook that a spreadsheet reader accepts, and the text of any workbook."""

import io
import zipfile
from collections.abc import Sequence
from string import ascii_uppercase

SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OFFICE = "http://schemas.openxmlformats.org"
RELATED = f"{OFFICE}/officeDocument/2006/relationships"
CELL = '<c r="%s%d" t="inlineStr"><is><t>%s</t></is></c>'
FILES = {
    "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types"/>',
    "_rels/.rels": (
        f'<Relationships xmlns="{OFFICE}/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{RELATED}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{OFFICE}/spreadsheetml/2006/main" xmlns:r="{RELATED}">'
        '<sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{OFFICE}/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{RELATED}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}
FAR_CELL = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


def workbook(rows: Sequence[Sequence[str]], beyond: str = "") -> bytes:
    """Return an XLSX with these rows in its first sheet, and with the XML `beyond` after them."""
    written = ""
    for number, row in enumerate(rows, start=1):
        cells = "".join(CELL % (column, number, cell) for column, cell in zip(ascii_uppercase, row, strict=False))
        written += f'<row r="{number}">{cells}</row>'
    sheet = f'<worksheet xmlns="{OFFICE}/spreadsheetml/2006/main"><sheetData>{written}{beyond}</sheetData></worksheet>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in (FILES | {"xl/worksheets/sheet1.xml": sheet}).items():
            archive.writestr(name, f'<?xml version="1.0"?>{text}')
    return packed.getvalue()


def text_of_workbook(data: bytes) -> str:
    """Return everything that is written in a workbook, with its marks."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist())
