"""The key that the address of a page narrows it to: `?key=`, an id or what somebody typed.

An account may have thousands of keys, so a page offers a field to search in, not a list of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.names import KeyName, find_key_names
from korely.dashboard.membership import Place

MOST_TOLD = 10  # keys of a text that fits several
# Attributes of the field that it is typed into. Whole keys do not belong in addresses.
FIELD = {
    "type": "search",
    "autocomplete": "off",
    "spellcheck": "false",
    "placeholder": "Name or last four",
    "pattern": "(?!.*kor_(live|self)_[0-9a-fA-F]).*",
    "title": "Part of a name, or the last four characters of a key",
}
_WHOLE_KEY = re.compile(r"kor_(?:self|live)_[0-9a-f]{5}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """What was said and the keys it may mean: one is chosen, of several the first 10 are told."""

    said: str = ""
    found: Sequence[KeyName] = ()

    @property
    def key(self) -> KeyName | None:
        """The one that is meant: the only one found, or the only one of exactly that name."""
        exact = [one for one in self.found if one.name.casefold() == self.said.casefold()]
        if len(exact) == 1:
            return exact[0]
        return self.found[0] if len(self.found) == 1 else None

    @property
    def is_open(self) -> bool:
        """Whether something was said and no one key is meant, so that there is nothing to show."""
        return bool(self.said) and self.key is None

    @property
    def told(self) -> Sequence[KeyName]:
        return self.found[:MOST_TOLD]

    @property
    def has_more(self) -> bool:
        return len(self.found) > MOST_TOLD

    @property
    def shown(self) -> str:
        """What the field holds: the key that is meant, else what was said."""
        return self.key.label if self.key is not None else self.said


def chosen_key(request: HttpRequest, place: Place) -> KeyChoice:
    """What `?key=` says, of the place's organisation. One query, none where nothing is said.

    Raises Http404 for what no page ever linked to and nobody types.
    """
    said = request.GET.get("key", "").strip()
    if "\x00" in said:
        raise Http404
    if not said:
        return KeyChoice()
    found = find_key_names(organisation_id=place.organisation.id, text=said, most=MOST_TOLD + 1)
    return KeyChoice(said, found)


def without_a_whole_key(request: HttpRequest) -> HttpResponse | None:
    """To the same page without the key that somebody put into its address; None without one."""
    if not _WHOLE_KEY.search(request.GET.get("key", "")):
        return None
    messages.error(request, "A key was in that search: look for its last four characters.")
    kept = request.GET.copy()
    del kept["key"]
    return redirect(f"{request.path}?{kept.urlencode()}")
