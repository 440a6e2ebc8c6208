"""Files of knowledge bases over HTTP: every format, every refusal, hostile files, what is left."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api.rows import left_in
from tests.api_client import Box, ok
from tests.openmem.client import Mos, denied, good
from tests.openmem.knowledge.conftest import Base
from tests.openmem.knowledge.documents import HOSTILE, READABLE, base64_of, pdf

GOOD = {"name": "a.txt", "content": base64_of("text")}
NOWHERE = "kb_" + "0" * 32


def test_every_format_is_read_and_found(base: Base) -> None:
    for one in base.add(**READABLE):
        assert one["status"] == "completed", one
    items = {
        one["memory_key"]: one for one in base.found("boiler pressure", memory_limit_number=25)
    }
    # Two that say the same are told once: TXT, XML and PDF here, HTML and DOCX.
    assert {"guide.md", "guide.json"} <= set(items)
    assert len(items) == 4
    for item in items.values():
        assert item["tags"] == ["mode:fine", "multimodal:file"]
        assert item["conversation_id"] == "default_session"
        assert item["memory_type"] == "LongTermMemory"
        assert 0.45 < item["relativity"] <= 1
    assert items["guide.md"]["memory_value"].startswith("Boiler > Pressure\n")
    assert "no()" not in str(items)


@pytest.mark.parametrize("name", ["guide.pdf", "guide.docx", "guide.html", "guide.xml"])
def test_a_format_alone_is_found(base: Base, name: str) -> None:
    base.add(**{name: READABLE[name]})
    (item,) = base.found("boiler pressure")
    assert item["memory_key"] == name
    assert "two bar" in item["memory_value"]


def test_hostile_and_broken_files_end_failed_and_leave_no_text(
    stack: Stack, fresh: Box, fresh_mos: Mos
) -> None:
    base = Base(fresh_mos)
    for one in base.add(**HOSTILE):
        assert one["status"] == "failed", one
    left = left_in(stack, fresh.project["id"])
    assert left["memories_knowledgefile"] == len(HOSTILE)
    for table in ("memories_chunk", "memories_filepiece", "memories_chunkvector", "work_work"):
        assert table not in left


def test_a_form_adds_files_as_json_does(base: Base) -> None:
    parts = [
        ("file", ("one.pdf", pdf("The pump is blue."), "application/pdf")),
        ("file", ("../two", b"The valve is red.")),
    ]
    query = {"knowledgebase_id": base.id}
    answer = base.mos.send("POST", "/add/knowledgebase-file", params=query, files=parts)
    added = good(answer)
    assert [set(one) for one in added] == [{"id", "name", "sizeMB", "status", "type"}] * 2
    assert [(one["name"], one["type"]) for one in added] == [("one.pdf", "pdf"), ("two", "txt")]
    assert all(isinstance(one["sizeMB"], float) for one in added)
    assert [one["status"] for one in base.settled()] == ["completed", "completed"]
    assert base.found("colour of the pump")[0]["memory_key"] == "one.pdf"


def test_a_large_file_of_json_is_kept_whole(base: Base) -> None:
    text = "".join(f"Line {number} of the log says nothing.\n" for number in range(2_000))
    spelled = base64_of(text).replace("/", "\\/")
    body = f'{{"knowledgebase_id":"{base.id}","file":[{{"name":"log.txt","content":"{spelled}"}}]}}'
    headers = {"Content-Type": "application/json"}
    good(base.mos.send("POST", "/add/knowledgebase-file", content=body, headers=headers))
    (file,) = base.settled()
    assert (file["status"], file["size"]) == ("completed", f"{len(text) / 1_048_576:.6f}")
    for number in (0, 1_321, 1_999):
        items = base.found(f"Line {number}", memory_limit_number=6)
        assert any(f"Line {number} of" in one["memory_value"] for one in items)


def test_kinds_are_told_by_type_by_name_by_the_uri_and_by_the_bytes(base: Base) -> None:
    text = base64_of("# Pump\n\nblue")
    sent = [
        {"content": text, "name": "a.bin", "type": "text/markdown"},
        {"content": text, "name": "b.MD"},
        {"content": f"data:text/markdown;charset=utf-8;base64,{text}"},
        {"content": text},
        {"content": base64_of(pdf("x"))},
    ]
    added = good(base.send(*sent))
    assert [one["type"] for one in added] == ["md", "md", "md", "txt", "pdf"]
    assert added[2]["name"] == "file.md"
    base.settled()
    assert base.files(type="md")["total"] == 3


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"file": [GOOD]}, 40002, "knowledgebase_id"),
    ({"knowledgebase_id": 5, "file": [GOOD]}, 40000, "knowledgebase_id"),
    ({"knowledgebase_id": NOWHERE}, 40002, "file"),
    ({"knowledgebase_id": NOWHERE, "file": {}}, 40000, "file"),
    ({"knowledgebase_id": NOWHERE, "file": []}, 40003, "file"),
    ({"knowledgebase_id": NOWHERE, "file": [GOOD] * 21}, 50103, "20"),
    ({"knowledgebase_id": NOWHERE, "file": ["x"]}, 40000, "file[0]"),
    ({"knowledgebase_id": NOWHERE, "file": [GOOD, {"name": "x"}]}, 40002, "file[1].content"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": 5}]}, 40000, "file[0].content"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "%%%"}]}, 40008, "file[0].content"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "QUJ"}]}, 40008, "base64"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "QQ==QQ=="}]}, 40008, "base64"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "http://a.example/x"}]}, 40009, "https"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "https://127.0.0.1/x"}]}, 40009, "special"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "https://localhost/x"}]}, 40009, "host"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": "data:text/plain,x"}]}, 40009, "data URI"),
    ({"knowledgebase_id": NOWHERE, "file": [{**GOOD, "type": "exe"}]}, 40007, "file[0].type"),
    ({"knowledgebase_id": NOWHERE, "file": [{**GOOD, "name": "a.exe"}]}, 50107, "file[0]"),
    ({"knowledgebase_id": NOWHERE, "file": [{**GOOD, "name": "x" * 256}]}, 40000, "name"),
    ({"knowledgebase_id": NOWHERE, "file": [{"content": base64_of(b"\x00\x01")}]}, 50107, "file"),
]


@pytest.mark.parametrize(("body", "code", "word"), REFUSED)
def test_what_cannot_be_added_is_refused_by_its_code(
    mos: Mos, body: dict[str, Any], code: int, word: str
) -> None:
    denied(mos.post("/add/knowledgebase-file", **body), 400, code, word)


def test_sizes_are_bounded(shared: Base) -> None:
    """A file over 100 MB, and files of more than 300 MB together; no refusal stores anything."""
    query = {"knowledgebase_id": shared.id}
    parts = [("file", ("a.txt", bytes(104_857_601)))]
    answer = shared.mos.send("POST", "/add/knowledgebase-file", params=query, files=parts)
    denied(answer, 400, 50104, "100 MB")
    largest = ("file", ("a.txt", bytes(104_857_600)))
    parts = [*[largest] * 3, ("file", ("b.txt", b"x"))]
    answer = shared.mos.send("POST", "/add/knowledgebase-file", params=query, files=parts)
    denied(answer, 400, 50105, "300 MB")
    assert shared.files()["total"] == 0


def test_twenty_files_and_names_of_a_hundred_characters_are_no_error(mos: Mos) -> None:
    made = mos.data("/create/knowledgebase", knowledgebase_name="é" * 100)
    assert made["id"].startswith("kb_")
    mos.data("/delete/knowledgebase", knowledgebase_id=made["id"])
    sent = {"knowledgebase_id": NOWHERE, "file": [GOOD] * 20}  # all that is wrong is the base
    denied(mos.post("/add/knowledgebase-file", **sent), 404, 50120)


def test_unknown_bases_and_files_are_told_apart(base: Base) -> None:
    mos = base.mos
    denied(mos.post("/add/knowledgebase-file", knowledgebase_id=NOWHERE, file=[GOOD]), 404, 50120)
    denied(mos.post("/get/knowledgebase-file", knowledgebase_id=NOWHERE), 404, 50120)
    denied(mos.post("/delete/knowledgebase", knowledgebase_id=NOWHERE), 404, 50120)
    denied(mos.post("/delete/knowledgebase", knowledgebase_id="x"), 404, 50120)
    denied(mos.post("/delete/knowledgebase"), 400, 40002, "knowledgebase_id")
    denied(mos.post("/create/knowledgebase", knowledgebase_name="x" * 101), 400, 40000)
    denied(mos.post("/create/knowledgebase", knowledgebase_name=" "), 400, 40002)
    nothing = "file_" + "0" * 32
    for call in ("/get/knowledgebase-file", "/delete/knowledgebase-file"):
        denied(mos.post(call, file_ids=[nothing]), 404, 40001)
        denied(mos.post(call, file_ids=["x"]), 404, 40001)
        denied(mos.post(call, file_ids=[]), 400, 40003, "file_ids")
    denied(mos.post("/get/knowledgebase-file"), 400, 40000)
    denied(mos.post("/get/knowledgebase-file", file_ids=["x"], knowledgebase_id="y"), 400, 40000)
    denied(mos.post("/delete/knowledgebase-file"), 400, 40002)
    denied(mos.send("POST", "/add/knowledgebase-file", files=[("file", ("a", b"x"))]), 400, 40002)
    query = {"knowledgebase_id": base.id}
    part = [("other", ("a.txt", b"x"))]
    answer = mos.send("POST", "/add/knowledgebase-file", params=query, files=part)
    denied(answer, 400, 40002, "file")
    assert base.files() == {"file_detail_list": [], "total": 0, "page": 1, "page_size": 20}


def test_files_are_listed_by_pages_and_by_id(base: Base) -> None:
    base.add(**{f"{number}.txt": f"Text {number}." for number in range(3)})
    page = base.files(page=2, page_size=2)
    assert (page["total"], page["page"], page["page_size"]) == (3, 2, 2)
    (one,) = page["file_detail_list"]
    assert set(one) == {"id", "name", "size", "status", "type"}
    assert (one["name"], one["type"]) == ("2.txt", "txt")
    listed = base.mos.data("/get/knowledgebase-file", file_ids=[one["id"]])
    assert listed["file_detail_list"] == [one]


def test_a_deleted_file_and_a_deleted_base_leave_no_row(
    stack: Stack, fresh: Box, fresh_mos: Mos
) -> None:
    base = Base(fresh_mos)
    files = base.add(**{"a.txt": "The pump is blue.", "b.txt": "The valve is red."})
    fresh_mos.say("u", "The pump is loud.", allow_knowledgebase_ids=[base.id])
    assert fresh_mos.data("/delete/knowledgebase-file", file_ids=[files[0]["id"]]) == {
        "success": True
    }
    keys = {one["memory_key"] for one in base.found("pump valve")}
    assert keys == {"b.txt", "user: The pump is loud."}
    assert fresh_mos.data("/delete/knowledgebase", knowledgebase_id=base.id) == {"success": True}
    for table in left_in(stack, fresh.project["id"]):
        assert "chunk" not in table
        assert "knowledge" not in table
        assert "piece" not in table
    denied(fresh_mos.post("/delete/knowledgebase", knowledgebase_id=base.id), 404, 50120)


def test_each_file_costs_a_write_and_is_audited(stack: Stack, fresh: Box, fresh_mos: Mos) -> None:
    base = Base(fresh_mos)

    def used() -> int:
        counted = "SELECT coalesce(sum(writes), 0) FROM billing_usageday WHERE project_id = %s"
        with psycopg.connect(stack.env["DATABASE_BACKUP_URL"], autocommit=True) as connection:
            row = connection.execute(counted, [fresh.project["id"].removeprefix("prj_")]).fetchone()
        return int(row[0])

    assert used() == 0
    added = good(base.send(GOOD, {**GOOD, "name": "b.txt"}))
    assert used() == 2
    denied(base.send(GOOD, {**GOOD, "name": "b.exe"}), 400, 50107)
    body = {"knowledgebase_id": NOWHERE, "file": [GOOD]}
    denied(fresh_mos.post("/add/knowledgebase-file", **body), 404, 50120)
    assert used() == 2
    events = ok(fresh.api.get("/v1/audit", limit=10))["events"]
    targets = {event["target_id"] for event in events if event["action"] == "write"}
    assert {one["id"] for one in added} | {base.id} <= targets
    assert "a.txt" not in str(events)
