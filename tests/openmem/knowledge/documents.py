"""Small documents of every format, made here."""

from __future__ import annotations

import base64
import io
import zipfile

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DOCUMENT = "word/document.xml"


def base64_of(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, line in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]"
            f" /Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(made)
    made += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    made += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    made += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n".encode()
    return bytes(made + b"%%EOF\n")


def docx(*paragraphs: tuple[str, str], body: bytes | None = None) -> bytes:
    """A DOCX of (style, text) paragraphs, or with a part of one's own as its body."""
    styles = f'<w:styles xmlns:w="{_W}">' + "".join(
        f'<w:style w:styleId="berschrift{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2)
    )
    texts = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    whole = f'<w:document xmlns:w="{_W}"><w:body>{texts}</w:body></w:document>'.encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("word/styles.xml", styles + "</w:styles>")
        packed.writestr(DOCUMENT, whole if body is None else body)
    return made.getvalue()


READABLE = {
    "guide.txt": "The boiler pressure is two bar.",
    "guide.md": "# Boiler\n\n## Pressure\n\nThe boiler pressure is two bar.",
    "guide.json": '{"boiler": {"pressure": "two bar", "colour": "green"}}',
    "guide.xml": "<guide><boiler>The boiler pressure is two bar.</boiler></guide>",
    "guide.html": "<h1>Boiler</h1><script>no()</script><p>The boiler pressure <b>is</b> two bar.",
    "guide.pdf": pdf("The boiler pressure is two bar."),
    "guide.docx": docx(("berschrift1", "Boiler"), ("", "The boiler pressure is two bar.")),
}
HOSTILE = {
    "entities.xml": '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>',
    "outside.xml": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "entities.docx": docx(body=b'<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>'),
    "bomb.docx": docx(body=b"<a>" + b" " * 220_000_000 + b"</a>"),
    "torn.docx": docx(("", "x" * 3_000))[:400],
    "torn.pdf": pdf("The boiler")[:200],
    "none.pdf": b"%PDF-1.7 and nothing more",
    "empty.pdf": pdf(""),
    "deep.json": "[" * 100_000,
    "deeper.json": "[" * 200 + '"x"' + "]" * 200,
    "none.json": "{boiler}",
    "torn.xml": "<a><b>text</a>",
    "latin.txt": "Übergröße".encode("latin-1"),
    "binary.txt": b"one\x00two",
    "blank.md": "\n \n",
    "blank.html": "<script>text</script>",
}
