"""schemathesis, with all its checks, over every operation of the OpenAPI document."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, unique

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).parent / "st"
EXAMPLES = 2  # of fuzzing, an operation; the boundaries of every parameter and field come before


def an_account_that_cannot_be_deleted() -> tuple[str, str]:
    """A key with every scope, and its id: of an account of the run's own, with a login."""
    from accounts import services
    from accounts.models import Membership, Person, Role
    from korely.kernel.caller import SCOPES

    organisation, project = services.create_organisation(name=unique("fuzz"), plan="self_hosted")
    person = Person.objects.create_user(f"{unique('fuzz')}@example.org")
    Membership.objects.create(organisation=organisation, person=person, role=Role.OWNER)
    made = services.mint_key(
        organisation_id=organisation.id, project_id=project.id, name="fuzz", scopes=SCOPES
    )
    return made.key, f"key_{made.row.id.hex}"


def test_no_request_is_a_500_and_no_answer_differs_from_the_document(
    stack: Stack, tmp_path: Path
) -> None:
    key, key_id = an_account_that_cannot_be_deleted()
    documented = ok(Api(stack.base_url, None).get("/v1/openapi.json"))
    operations = sum(len(methods) for methods in documented["paths"].values())
    done = subprocess.run(
        [
            *(COMMAND, "--config-file", HERE / "schemathesis.toml"),
            *("run", f"{stack.base_url}/v1/openapi.json"),
            *("--no-color", "--workers", "2", "--max-examples", str(EXAMPLES)),
        ],
        env={
            **os.environ,
            "KORELY_FUZZ_KEY": key,
            "KORELY_FUZZ_KEY_ID": key_id,
            "PYTHONPATH": str(HERE.parent.parent),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Tested: {operations}\n" in done.stdout, done.stdout
    made = re.search(r"([\d,]+) generated", done.stdout)
    assert made and int(made[1].replace(",", "")) > 1_500, done.stdout
    # The account is still there, and so is the key: the run was not one of refusals.
    assert ok(Api(stack.base_url, key).get("/v1/ping"))["ok"] is True
