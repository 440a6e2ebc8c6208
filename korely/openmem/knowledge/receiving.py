"""Files of one request: as JSON with base64, data URIs or addresses, or as a form with parts."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.exceptions import SuspiciousOperation, TooManyFilesSent
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from korely.http import bodies, marks
from korely.kernel import outbound
from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.knowledge.base64_text import BadBase64, decode
from korely.openmem.knowledge.lifting import Lifted, lift
from korely.openmem.knowledge.requests import read_base, read_type
from korely.openmem.sent import Sent
from memories.knowledge import formats
from memories.services.knowledge import Incoming, Readable

MOST_FILES, MOST_FILE, MOST_TOGETHER = 20, 104_857_600, 314_572_800  # contract, section 8
NAME_LENGTH = 255
_FORM = "multipart/form-data"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DATA = re.compile(r"data:([^;,]*)(?:;[^;,]*)*;base64,", re.IGNORECASE)
_START = 2_100  # characters of a content that tell what it is: more than an address has


@dataclass(frozen=True, slots=True)
class Received:
    """The base as it was named, and what is to be added to it."""

    base: str
    files: list[Incoming]


def receive(request: HttpRequest, kept: ExitStack) -> Received:
    """Read and judge a request's files; what `kept` closes are theirs.

    Raises:
        Refusal: with the dialect's code, naming the field.
    """
    bodies.require_arrived(request, marks.MAX_FILES)
    if request.content_type == _FORM:
        return _form(request)
    bodies.require_media(request, bodies.JSON)
    lifted = lift(request.read, kept)
    sent = Sent(bodies.read_object(lifted.document))
    base = read_base(sent)
    entries = _entries(sent)
    files = [_entry(f"file[{number}]", one, lifted, kept) for number, one in enumerate(entries)]
    return Received(base, _sized(files))


def _form(request: HttpRequest) -> Received:
    sent = Sent(
        {name: request.GET[name] for name in ("knowledgebase_id", "type") if request.GET.get(name)}
    )
    base = read_base(sent)
    kind = read_type(sent.get("type"))
    try:
        parts = request.FILES.getlist("file")
    except TooManyFilesSent:
        raise _too_many() from None
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        raise fault(codes.WRONG, "the body is no form that can be read") from None
    if not parts:
        raise fault(codes.MISSING, "file is required: send at least one part of this name")
    if len(parts) > MOST_FILES:
        raise _too_many()
    files: list[Incoming] = []
    for number, part in enumerate(parts):
        where = f"file[{number}]"
        name = _name(where, part.name)
        form = _form_of(where, name, kind, part)
        files.append(Incoming(name, form, size=int(part.size or 0), source=part))
    return Received(base, _sized(files))


def _entries(sent: Sent) -> list[Any]:
    entries = sent.get("file")
    if entries is None:
        raise fault(codes.MISSING, "file is required and must not be empty")
    if not isinstance(entries, list):
        raise fault(codes.WRONG, "file must be a list")
    if not entries:
        raise fault(codes.EMPTY, "file must not be empty")
    if len(entries) > MOST_FILES:
        raise _too_many()
    return entries


def _too_many() -> Exception:
    return fault(codes.MANY_FILES, f"file must have at most {MOST_FILES} files")


def _entry(where: str, entry: Any, lifted: Lifted, kept: ExitStack) -> Incoming:
    if not isinstance(entry, dict):
        raise fault(codes.WRONG, f"{where} must be an object")
    sent = Sent(entry)
    content = sent.get("content")
    if content is None or content == "":
        raise fault(codes.MISSING, f"{where}.content is required and must not be empty")
    if not isinstance(content, str):
        raise fault(codes.WRONG, f"{where}.content must be a string")
    name = None if sent.get("name") in (None, "") else _name(where, sent.get("name"))
    kind = read_type(sent.get("type"), f"{where}.type")
    source = lifted.text(content)
    start = source.read(_START).decode("utf-8", "replace")
    source.seek(0)
    data = _DATA.match(start)
    if data is not None:
        kind = kind or (None if name else formats.named(data[1]))
        source.seek(len(data[0]))
    elif _SCHEME.match(start):
        return _address(where, content, name, kind)
    try:
        decoded, size = decode(source, MOST_FILE, kept)
    except BadBase64:
        raise fault(codes.BASE64, f"{where}.content is not base64") from None
    if size > MOST_FILE:
        raise _too_large(where)
    form = _form_of(where, name, kind, decoded)
    return Incoming(name or f"file.{form}", form, size=size, source=decoded)


def _address(where: str, url: str, name: str | None, kind: str | None) -> Incoming:
    try:
        outbound.check(url, allow_private=settings.KORELY_WEBHOOK_ALLOW_PRIVATE)
    except outbound.Refused as error:
        told = f"{where}.content is neither base64, a data URI nor a public https URL: {error}"
        raise fault(codes.NO_CONTENT, told) from None
    last = unquote(urlsplit(url).path, errors="replace").rpartition("/")[2]
    last = last.replace("\x00", "")[:NAME_LENGTH]
    named = formats.named(formats.extension(name)) if name else None
    if name and kind is None and named is None and formats.extension(name):
        raise _no_format(where)
    form = kind or named or formats.named(formats.extension(last))
    return Incoming(name or last or "file", form, url=url)


def _name(where: str, value: Any) -> str:
    """A file's own name, without folders."""
    if not isinstance(value, str):
        raise fault(codes.WRONG, f"{where}.name must be a string")
    name = PurePosixPath(value.replace("\\", "/")).name.strip()
    if not name or "\x00" in name:
        raise fault(codes.WRONG, f"{where}.name must be the name of a file")
    if len(name) > NAME_LENGTH:
        raise fault(codes.WRONG, f"{where}.name must be at most {NAME_LENGTH} characters")
    return name


def _form_of(where: str, name: str | None, kind: str | None, source: Readable) -> str:
    """What a file was said to be, else what its name says, else, without any, its first bytes."""
    extension = formats.extension(name) if name else ""
    if kind is None and not extension:
        kind = formats.sniffed(source.read(formats.HEAD))
        source.seek(0)
    form = kind or formats.named(extension)
    if form is None:
        raise _no_format(where)
    return form


def _no_format(where: str) -> Exception:
    shown = ", ".join(one.upper() for one in formats.FORMATS)
    return fault(codes.FORMAT, f"{where} is of none of the formats {shown}")


def _too_large(where: str) -> Exception:
    return fault(codes.LARGE_FILE, f"{where} is larger than {MOST_FILE // 1_048_576} MB")


def _sized(files: list[Incoming]) -> list[Incoming]:
    for number, one in enumerate(files):
        if one.size > MOST_FILE:
            raise _too_large(f"file[{number}]")
    if sum(one.size for one in files) > MOST_TOGETHER:
        most = MOST_TOGETHER // 1_048_576
        raise fault(codes.LARGE_FILES, f"file: together larger than {most} MB")
    return files
