"""The throw-away accounts: made through the services, filled through HTTP, removed."""

from __future__ import annotations

import secrets
import time
import uuid
from contextlib import ExitStack
from typing import Any

from accounts import services as accounts
from accounts.models import Project
from billing.models import Plan
from facts import services as facts
from korely.kernel import ids
from korely.kernel.caller import READ, SCOPES, WRITE, Caller
from korely.rest.isolation.ground import Ground, Owner, Site
from korely.rest.isolation.samples import word
from korely.rest.isolation.wire import Client
from korely.webhooks import events
from korely.webhooks import services as webhooks
from korely.webhooks.models import Delivery, Endpoint
from memories import services as memories

SETTLE_SECONDS = 120.0


class NotReady(Exception):
    """The install cannot be tried: it does not answer as a working one does."""


class Maker:
    """Makes the accounts of one run and removes them again, however far it came.

    They share a name that no other run has, and a plan of their own without limits: those of the
    install are not to disturb the run.
    """

    def __init__(self, url: str) -> None:
        self._server = Client(url, None)
        self._run = f"verify-isolation-{secrets.token_hex(8)}"
        self.organisations: list[uuid.UUID] = []
        self.projects: list[uuid.UUID] = []

    def make(self) -> Ground:
        """Everything there is to attack.

        Raises:
            NotReady: the server does not take what is written, or nothing works it off.
        """
        Plan.objects.create(slug=self._run)
        home = self._account()
        self._check(home)
        second = accounts.create_project(
            caller=_operator(home.organisation_id, home.project_id), name=word()
        )
        sibling = self._site(home.organisation_id, second)
        foreign = self._account()
        user = word()
        keys = {
            "read": self._key(home, scopes=(READ,)),
            "write": self._key(home, scopes=(WRITE,)),
            "exact": self._key(home, users=[user]),
            "prefix": self._key(home, users=[f"{user[:12]}*"]),
        }
        ground = Ground(
            home=home,
            sibling=sibling,
            foreign=foreign,
            one=self._owner(home, sibling, user),
            two=self._owner(home, sibling, word()),
            nobody=self._owner(home, sibling, None),
            neighbour=self._owner(sibling, sibling, word()),
            stranger=self._owner(foreign, foreign, word()),
            keys=keys,
            dead=self._dead_keys(home),
        )
        self.settle(ground)
        return ground

    def settle(self, ground: Ground) -> None:
        """Wait until all that was written has been extracted."""
        deadline = time.monotonic() + SETTLE_SECONDS
        for site in (ground.home, ground.sibling, ground.foreign):
            while _is_at_work(site):
                if time.monotonic() > deadline:
                    raise NotReady("memories are not being extracted: does a worker run?")
                time.sleep(0.2)

    def clear(self) -> None:
        """Remove the accounts and their plan."""
        with ExitStack() as rest:  # what cannot be removed does not keep the rest
            rest.callback(Plan.objects.filter(slug=self._run).delete)
            for project in Project.objects.filter(organisation__name=self._run, is_default=True):
                rest.callback(_delete_account, project.organisation_id, project.id)

    def _account(self) -> Site:
        organisation, project = accounts.create_organisation(name=self._run, plan=self._run)
        self.organisations.append(organisation.id)
        return self._site(organisation.id, project)

    def _site(self, organisation_id: uuid.UUID, project: Project) -> Site:
        self.projects.append(project.id)
        facts.set_predicate(project_id=project.id, name=word(), family="other", single=False)
        made = _mint(organisation_id, project.id, scopes=SCOPES)
        return Site(organisation_id, project.id, self._server.as_key(made.key))

    def _key(self, site: Site, **fields: Any) -> Client:
        made = _mint(site.organisation_id, site.project_id, **fields)
        return self._server.as_key(made.key)

    def _dead_keys(self, home: Site) -> dict[str, Client]:
        revoked = _mint(home.organisation_id, home.project_id, scopes=SCOPES)
        accounts.revoke_key(
            caller=_operator(home.organisation_id, home.project_id), key_id=revoked.row.id
        )
        gone = self._account()
        _delete_account(gone.organisation_id, gone.project_id)
        return {
            "a revoked key": self._server.as_key(revoked.key),
            "an expired key": self._key(home, scopes=SCOPES, expires_in_days=0),
            "a key of a deleted account": gone.client,
        }

    def _check(self, home: Site) -> None:
        status = home.client.send("GET", "/v1/ping").status
        if status != 200:
            raise NotReady(
                f"the server answers {status} to a key just made in this database: is it this"
                " install's? --url says where it listens"
            )

    def _owner(self, site: Site, spare: Site, user: str | None) -> Owner:
        """A memory, a fact that holds, one of the past, a name, an agent, a run, a spare key."""
        agent, run, topic, subject, secret, past, name = (word() for _ in range(7))
        who = {"agent_id": agent} if user is None else {"agent_id": agent, "user_id": user}
        text = f"The {topic} is at the harbour. I like {secret}."
        about = {"mark": secret, "topic": topic}
        memory = _write(
            site, "/v1/memories", {**who, "run_id": run, "content": text, "metadata": about}
        )
        fact = {**who, "subject": subject, "predicate": "likes"}
        open_fact = _write(site, "/v1/facts", {**fact, "object": f"{secret} tea"})
        _write(site, "/v1/facts", {**fact, "object": f"{past} tea", "tense": "past"})
        if user is not None:
            _write(site, f"/v1/users/{user}/names", {"name": name, "agent_id": agent})
        job = self._batch(site, {**who, "content": "Sent with others."})
        key = _mint(site.organisation_id, site.project_id).row
        webhook = self._webhook(site)
        objects = {
            "memory": str(memory["id"]),
            "fact": str(open_fact["id"]),
            "job": job,
            "agent": agent,
            "key": ids.wire(ids.KEY, key.id),
            "webhook": ids.wire(ids.WEBHOOK, webhook.id),
            "delivery": _ended_delivery(webhook, site.project_id),
            "project": spare.project,
        }
        if user is not None:
            objects["user"] = user
        words = {agent, run, secret, past, name, *([] if user is None else [user])}
        return Owner(user, agent, run, topic, subject, frozenset(words), objects)

    def _webhook(self, site: Site) -> Endpoint:
        """One that is told of nothing that happens here."""
        endpoint, _ = webhooks.create_endpoint(
            organisation_id=site.organisation_id,
            project_id=site.project_id,
            url="https://example.com/",
            words=[events.QUOTA_WARNING],
            description="",
        )
        return endpoint

    def _batch(self, site: Site, item: dict[str, Any]) -> str:
        """A batch that is over."""
        job = str(_write(site, "/v1/batch", {"memories": [item]}, 202)["id"])
        deadline = time.monotonic() + SETTLE_SECONDS
        while site.client.send("GET", f"/v1/batch/{job}").json().get("status") != "completed":
            if time.monotonic() > deadline:
                raise NotReady("batches are not being stored: does a worker run?")
            time.sleep(0.2)
        return job


def _mint(organisation_id: uuid.UUID, project_id: uuid.UUID, **fields: Any) -> accounts.NewKey:
    return accounts.mint_key(
        organisation_id=organisation_id, project_id=project_id, name=word(), **fields
    )


def _is_at_work(site: Site) -> bool:
    """Whether memories are still to be extracted, or facts to be read anew."""
    extracting = site.client.send("GET", "/v1/events").json().get("processing") != 0
    return extracting or facts.rereads(project_id=site.project_id)


def _operator(organisation_id: uuid.UUID, project_id: uuid.UUID) -> Caller:
    return Caller(
        organisation_id=organisation_id, project_id=project_id, scopes=SCOPES, actor="manage"
    )


def _delete_account(organisation_id: uuid.UUID, project_id: uuid.UUID) -> None:
    memories.delete_account(caller=_operator(organisation_id, project_id), confirmed=True)


def _ended_delivery(endpoint: Endpoint, project_id: uuid.UUID) -> str:
    row = Delivery.objects.create(
        endpoint=endpoint,
        project_id=project_id,
        event=events.QUOTA_WARNING,
        state=Delivery.DEAD,
    )
    return ids.wire(ids.DELIVERY, row.id)


def _write(site: Site, path: str, body: dict[str, Any], status: int = 201) -> dict[str, Any]:
    # A client of its own: what those who attack and look have sent counts as no leak.
    answer = site.client.as_key(site.client.key).send("POST", path, body=body)
    if answer.status != status:
        raise NotReady(f"the server answers {answer.status} to POST {path}")
    return answer.json()
