"""Knowledge bases that a call names."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from memories.selectors.knowledge import known_bases

ALL = "all"  # in a search: every base of the project


def known(
    caller: Caller, names: Sequence[str], *, searching: bool = False
) -> tuple[uuid.UUID, ...]:
    """The bases that a call names, each once; in a search `all` names all of them.

    Raises:
        Refusal: 404 (50123) for a base that is none of the project's.
    """
    if not names:
        return ()
    named = [one for one in names if not (searching and one == ALL)]
    wanted = [ids.parse(ids.BASE, one) for one in named]
    asked = [one for one in wanted if one is not None]
    found = known_bases(caller=caller, base_ids=None if len(named) < len(names) else asked)
    if None in wanted or not set(asked) <= set(found):
        raise errors.base_of_another()
    return tuple(found)
