"""What the calls on knowledge bases take, but for the files themselves."""

from __future__ import annotations

import uuid
from typing import Any

from korely.http.fields import MAX_OFFSET
from korely.kernel import errors, ids
from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.sent import Sent
from memories.knowledge import formats

NAME_LENGTH, DESCRIPTION_LENGTH, ID_LENGTH = 100, 2_000, 100
MOST_IDS = MOST_PAGE = 100


def create_base(sent: Sent) -> dict[str, Any]:
    name = "knowledgebase_name"
    found = sent.text(name, most=NAME_LENGTH, too_long=codes.WRONG, required=True)
    about = sent.get("knowledgebase_description") or None
    if about is not None:
        about = sent.text(
            "knowledgebase_description", most=DESCRIPTION_LENGTH, too_long=codes.WRONG
        )
    return {"name": found, "description": about or ""}


def delete_base(sent: Sent) -> dict[str, Any]:
    return {"base": read_base(sent)}


def read_base(sent: Sent) -> str:
    name = "knowledgebase_id"
    return str(sent.text(name, most=ID_LENGTH, too_long=codes.WRONG, required=True))


def base_id_of(text: str) -> uuid.UUID:
    """The id of a base as it was sent; 404 (50120) for what is none."""
    found = ids.parse(ids.BASE, text)
    if found is None:
        raise errors.no_base()
    return found


def file_ids_of(texts: list[str]) -> list[uuid.UUID]:
    """The ids of files as they were sent; 404 (40001) when one is none."""
    found = [ids.parse(ids.FILE, text) for text in texts]
    if None in found:
        raise errors.not_found("file")
    return [one for one in found if one is not None]


def get_files(sent: Sent) -> dict[str, Any]:
    """Either `file_ids` or a base, with a page of it."""
    if ("file_ids" in sent) == ("knowledgebase_id" in sent):
        raise fault(codes.WRONG, "file_ids: exactly one of file_ids, knowledgebase_id must be sent")
    if "file_ids" in sent:
        return {"files": _read_ids(sent), "page": 1, "size": 20}
    return {
        "base": read_base(sent),
        "form": read_type(sent.get("type")),
        "page": sent.integer("page", least=1, most=MAX_OFFSET, default=1),
        "size": sent.integer("page_size", least=1, most=MOST_PAGE, default=20),
    }


def delete_files(sent: Sent) -> dict[str, Any]:
    if "file_ids" not in sent:
        raise fault(codes.MISSING, "file_ids is required and must not be empty")
    return {"files": _read_ids(sent)}


def _read_ids(sent: Sent) -> list[str]:
    found = sent.words("file_ids")
    if not found:
        raise fault(codes.EMPTY, "file_ids must not be empty")
    if len(found) > MOST_IDS:
        raise fault(codes.WRONG, f"file_ids must have at most {MOST_IDS} ids")
    return found


def read_type(value: Any, name: str = "type") -> str | None:
    """A format by its name, extension or media type; 40007 for what names none."""
    if value is None or value == "":
        return None
    found = formats.named(value) if isinstance(value, str) else None
    if found is None:
        raise fault(codes.FILE_TYPE, f"{name} must be one of {', '.join(formats.FORMATS)}")
    return found
