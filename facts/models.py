"""Facts, the memories that state them, their vectors; declared names, predicates of projects."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from pgvector.django import HalfVectorField

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel


class Fact(TenantModel):
    """One triple with two clocks. A row never changes what it said; it can only gain an end.

    `subject_key` and `object_key` are the forms that reconciliation compares, after declared names;
    `object_text_key` is the object as the `entity` filter compares it. Where the subject is a
    declared name, `subject_text_key` is its key as written, else null; where the object is one,
    `object_name_key` is the end user's key, else null. `slot` is the identity inside which only one
    value holds at a time (facts.reconciliation), null where values add up. `said_at` is when the
    text or the caller stated it, `direct` that a caller wrote it, with or without a memory.
    `predicate_plain` is how the built-in table reads the predicate where the project names that
    otherwise, else null: what is needed to name it anew when the project's predicates change.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    agent_id = models.TextField(null=True)  # noqa: DJ001
    run_id = models.TextField(null=True)  # noqa: DJ001
    subject = models.TextField()
    subject_key = models.TextField()
    subject_text_key = models.TextField(null=True)  # noqa: DJ001 - null: no declared name
    subject_type = models.CharField(max_length=20, default="unknown")
    predicate = models.TextField()
    predicate_plain = models.TextField(null=True)  # noqa: DJ001 - null: the predicate itself
    predicate_raw = models.TextField()
    predicate_family = models.CharField(max_length=20)
    object = models.TextField()
    object_key = models.TextField()
    object_text_key = models.TextField()
    object_name_key = models.TextField(null=True)  # noqa: DJ001
    object_is_literal = models.BooleanField(default=False)
    confidence = models.FloatField(default=0.9)
    tense = models.CharField(max_length=10, default="current")
    slot = models.UUIDField(null=True)
    valid_from = models.DateTimeField()
    invalid_at = models.DateTimeField(null=True)
    invalidated_by = models.UUIDField(null=True)
    closed_known_at = models.DateTimeField(null=True)
    closed_reason = models.CharField(max_length=20, null=True)  # noqa: DJ001 - null: no end
    closed_by_memory = models.UUIDField(null=True)  # whose text ended it; null where none did
    observation_count = models.PositiveIntegerField(default=1)
    last_confirmed_at = models.DateTimeField(null=True)
    direct = models.BooleanField(default=False)
    said_at = models.DateTimeField(default=now)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(invalid_at__isnull=True)
                | Q(invalid_at__gte=F("valid_from"))
                | Q(tense="planned"),
                name="fact_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(tense__in=["current", "past", "planned"]), name="fact_tense"
            ),
            models.CheckConstraint(
                condition=Q(
                    invalid_at__isnull=True,
                    closed_known_at__isnull=True,
                    closed_reason__isnull=True,
                    invalidated_by__isnull=True,
                )
                | Q(
                    invalid_at__isnull=False,
                    closed_known_at__isnull=False,
                    closed_reason__isnull=False,
                ),
                name="fact_end_is_whole",
            ),
            models.UniqueConstraint(
                fields=["project", "slot"],
                condition=Q(slot__isnull=False, invalid_at__isnull=True) & ~Q(tense="planned"),
                name="fact_one_open_a_slot",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "user_id", "-valid_from", "-created_at", "-id"],
                name="fact_user_newest",
            ),
            models.Index(
                fields=["project", "-valid_from", "-created_at", "-id"], name="fact_newest"
            ),
            models.Index(fields=["project", "created_at", "id"], name="fact_oldest"),
            models.Index(
                fields=["project", "slot", "valid_from"],
                name="fact_slot",
                condition=Q(slot__isnull=False),
            ),
            models.Index(fields=["project", "subject_key"], name="fact_subject"),
            models.Index(
                fields=["project", "subject_text_key"],
                name="fact_subject_as_written",
                condition=Q(subject_text_key__isnull=False),
            ),
            models.Index(
                fields=["project", "invalidated_by"],
                name="fact_ended_by",
                condition=Q(invalidated_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def plain_predicate(self) -> str:
        """The predicate as the built-in table reads it."""
        return str(self.predicate_plain or self.predicate)

    @property
    def object_canonical(self) -> str:
        """The object's current name: the end user's id for a declared name, else as written."""
        named = self.object_name_key is not None and self.user_id is not None
        return str(self.user_id if named else self.object)


class FactSource(TenantModel):
    """A memory that states a fact, and where: code-point offsets of the evidence in its text.

    `withdrawn_at`: the memory was changed or forgotten and no longer states it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    fact = models.ForeignKey(
        Fact, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    memory = models.ForeignKey(
        "memories.Memory",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    is_session = models.BooleanField(default=False)
    span_start = models.PositiveIntegerField()
    span_end = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=now)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "fact", "memory"], name="fact_source_once")
        ]

    def __str__(self) -> str:
        return str(self.id)


class FactVector(TenantModel):
    """A fact's meaning under one model; `id` is the fact's own."""

    id = models.UUIDField(primary_key=True, editable=False)
    user_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    model = models.CharField(max_length=100)
    vector = HalfVectorField()

    class Meta:
        indexes = [models.Index(fields=["project", "user_id"], name="fact_vector_user")]

    def __str__(self) -> str:
        return str(self.id)


class DeclaredName(TenantModel):
    """What an end user is also called, in the memory of one agent (null: the end user's own).

    `name_key` is the form in which subjects are compared: within a project and an agent it belongs
    to one end user.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user_id = models.TextField()
    agent_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    name = models.TextField()
    name_key = models.TextField()
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "agent_id", "name_key"],
                name="declared_name_once",
                nulls_distinct=False,
            )
        ]
        indexes = [models.Index(fields=["project", "user_id"], name="declared_name_user")]

    def __str__(self) -> str:
        return str(self.id)


class ProjectPredicate(TenantModel):
    """What a project's facts are read with beyond the built-in table, or in place of it.

    `synonyms` are plain forms (facts.vocabulary). Of a pair of opposites each row names the other,
    where both have one.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.TextField()
    family = models.CharField(max_length=20)
    single = models.BooleanField()
    opposite = models.TextField(null=True)  # noqa: DJ001 - null: none
    synonyms = ArrayField(models.TextField(), default=list)
    updated_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="project_predicate_once")
        ]

    def __str__(self) -> str:
        return self.name
