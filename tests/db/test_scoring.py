"""`manage.py score_facts` runs texts through the pipeline and leaves nothing behind."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from korely.embedded.stack import Stack

# What the command runs on its predictions: here it shows them.
SHOW = "import sys, pathlib; print(pathlib.Path(sys.argv[3]).read_text())"


def test_the_account_it_makes_is_gone_afterwards(stack: Stack, tmp_path: Path) -> None:
    from django.core.management import call_command

    from accounts.models import Organisation, Project

    (tmp_path / "score.py").write_text(SHOW)
    item = {"id": "one", "text": "I live in Rome.", "user_id": "anna"}
    (tmp_path / "extraction.jsonl").write_text(json.dumps(item))
    before = set(Organisation.objects.values_list("id", flat=True))
    out = StringIO()
    call_command("score_facts", gold=tmp_path, sets=["extraction"], stdout=out)
    prediction = json.loads(out.getvalue())
    assert [fact["object"] for fact in prediction["facts"]] == ["Rome"]
    made = Organisation.objects.exclude(id__in=before).filter(name="Scoring")
    assert not made.exists()
    assert not Project.objects.filter(organisation__name="Scoring").exists()
