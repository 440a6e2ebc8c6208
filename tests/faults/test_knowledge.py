"""Files of knowledge bases while their worker is killed: every text is stored once."""

from __future__ import annotations

from tests.api_client import ok, wait_for
from tests.faults.rig import Rig
from tests.openmem.client import Mos
from tests.openmem.knowledge.conftest import Base


def test_a_worker_killed_again_and_again_stores_every_text_once(rig: Rig) -> None:
    box = rig.box()
    project = box.project["id"]
    base = Base(Mos(box.boot.base_url, box.api.key))
    pages = [f"Page {n}. " + f"The harbour of town {n} was calm. " * 50 for n in range(120)]
    content = "\n\n".join(pages)
    base.mos.http.post(
        "/api/openmem/v1/add/knowledgebase-file",
        params={"knowledgebase_id": base.id},
        files=[("file", ("book.txt", content))],
    ).raise_for_status()
    for least in (1, 32):
        wait_for(
            "texts to be indexed",
            lambda least=least: rig.count("memories_chunkvector", project) >= least,
        )
        rig.kill("worker")
    (file,) = base.settled()
    assert file["status"] == "completed"
    assert rig.count("memories_filepiece", project) == 0
    assert rig.count("work_work", project) == 0
    held = rig.rows(
        "SELECT number, content, indexed FROM memories_chunk WHERE project_id = %s ORDER BY number",
        project.removeprefix("prj_"),
    )
    assert [number for number, _, _ in held] == list(range(len(held)))
    assert all(indexed for _, _, indexed in held)
    assert " ".join(" ".join(text for _, text, _ in held).split()) == " ".join(content.split())
    part_0 = "SELECT count(*) FROM memories_chunkvector WHERE project_id = %s AND part = 0"
    assert rig.rows(part_0, project.removeprefix("prj_")) == [(len(held),)]


def test_a_base_moves_with_its_project_while_its_files_wait(rig: Rig) -> None:
    box = rig.box()
    base = Base(Mos(box.boot.base_url, box.api.key))
    base.add(**{"old.txt": "The old pump is blue."})
    with rig.frozen("worker"):
        base.mos.http.post(
            "/api/openmem/v1/add/knowledgebase-file",
            params={"knowledgebase_id": base.id},
            files=[("file", ("new.txt", "The new pump is red."))],
        ).raise_for_status()
        ok(box.boot.delete(f"/admin/projects/{box.project['id']}"))
    for table in ("memories_chunk", "memories_knowledgefile", "memories_knowledgebase"):
        assert rig.count(table, box.project["id"]) == 0
    moved = Base.__new__(Base)
    moved.mos, moved.id = Mos(rig.boot.base_url, rig.boot.key), base.id
    assert [one["status"] for one in moved.settled()] == ["completed", "completed"]
    assert {one["memory_key"] for one in moved.found("colour of the pump")} == {
        "old.txt",
        "new.txt",
    }
