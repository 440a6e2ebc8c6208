from __future__ import annotations

from pathlib import Path

from korely.embedded.log_files import LIMIT_BYTES, trim_logs


def test_a_log_stays_bounded_while_its_program_goes_on_writing(tmp_path: Path):
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"x" * (LIMIT_BYTES + 1))
        trim_logs(tmp_path)
        writer.write(b"after\n")
    assert log.read_bytes() == b"after\n"
    assert (tmp_path / "web.log.1").stat().st_size == LIMIT_BYTES + 1


def test_a_log_within_the_bound_is_left_as_it_is(tmp_path: Path):
    (tmp_path / "web.log").write_bytes(b"x" * LIMIT_BYTES)
    trim_logs(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["web.log"]
