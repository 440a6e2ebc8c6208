"""People: who logs in to the pages. A person belongs to organisations through memberships."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class PersonManager(BaseUserManager["Person"]):
    """Persons by their e-mail address, which is kept in lower case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Person:
        """A person; without `password` one who cannot log in until they have reset it."""
        person = self.model(email=email.lower(), **fields)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(email=(username or "").lower())


class Person(AbstractBaseUser):
    """Someone with a login. The e-mail address is the login, and is verified before it counts.

    `organisation_to_found` is the name given at sign-up, empty once that organisation exists (or
    when the person came by an invitation). `is_staff` marks the install's operators.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=100, blank=True, default="")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    organisation_to_found = models.CharField(max_length=100, blank=True, default="")
    created_at = models.DateTimeField(default=now)

    objects: ClassVar[PersonManager] = PersonManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="person_lower"),
        ]
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.email

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """An operator may do what the operators' site offers; nobody else may anything there."""
        return self.is_active and self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_active and self.is_staff
