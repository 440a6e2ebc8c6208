"""The sections of the dashboard, as its side bar lists them."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from accounts.people.roles import Permission
from korely.dashboard.membership import Place


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its name, its first page's route, and who sees it (None: everyone)."""

    name: str
    route: str
    permission: Permission | None = None


OF_PROJECT: list[Section] = [
    Section("Overview", "overview"),
    Section("Explore", "explore"),
    Section("Facts", "timeline"),
    Section("Playground", "playground"),
    Section("Audit", "audit", Permission.SEE_AUDIT),
]
OF_ORGANISATION: list[Section] = [
    Section("Keys", "keys"),
    Section("Usage", "usage"),
    Section("Requests", "requests"),
    Section("Webhooks", "webhooks", Permission.MANAGE_WEBHOOKS),
    Section("Projects", "projects"),
    Section("Team", "team"),
    Section("Operator access", "access", Permission.SEE_AUDIT),
    Section("Settings", "settings"),
]


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class Group:
    label: str
    entries: list[Entry]


def navigation(place: Place, path: str) -> list[Group]:
    """What the person may turn to from here; the entry that holds the page at `path` is current."""
    in_project = [(place.project.id, section) for section in OF_PROJECT]
    in_whole = [(place.organisation.id, section) for section in OF_ORGANISATION]
    shown = []
    for label, sections in (("Project", in_project), ("Organisation", in_whole)):
        links = [
            (section.name, reverse(section.route, args=[where]))
            for where, section in sections
            if section.permission is None or place.may(section.permission)
        ]
        shown.append((label, links))
    hrefs = [href for _, links in shown for _, href in links]
    # An overview's address begins every other address of its project: the longest one wins.
    current = max((href for href in hrefs if path.startswith(href)), key=len, default="")
    return [
        Group(label, [Entry(name, href, href == current) for name, href in links])
        for label, links in shown
    ]
