"""Many accounts with keys around the one that is measured."""

from __future__ import annotations

ACCOUNTS, KEYS_OF_EACH = 1_000, 10


def crowd() -> None:
    """Make the accounts, each with its default project and its keys, through the ORM."""
    from accounts.models import ApiKey, Organisation, Project
    from korely.kernel import hashing

    organisations = Organisation.objects.bulk_create(
        Organisation(name=f"Account {number}") for number in range(ACCOUNTS)
    )
    projects = Project.objects.bulk_create(
        Project(organisation=organisation, name="Default", is_default=True)
        for organisation in organisations
    )
    pepper = hashing.current_pepper()
    rows = []
    for project in projects:
        for number in range(KEYS_OF_EACH):
            secret = hashing.new_secret()
            rows.append(
                ApiKey(
                    organisation_id=project.organisation_id,
                    project=project,
                    name=f"key {number}",
                    prefix="kor_self_",
                    lookup=secret[: hashing.LOOKUP_LENGTH],
                    digest=hashing.digest(secret, pepper),
                    pepper=pepper,
                    last_four=secret[-4:],
                    scopes=["memories:read", "memories:write"],
                )
            )
    ApiKey.objects.bulk_create(rows, batch_size=2_000)
