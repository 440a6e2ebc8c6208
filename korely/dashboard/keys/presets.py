"""What a new key is for: each purpose with the scopes it needs and no more."""

from __future__ import annotations

from dataclasses import dataclass

from korely.kernel.caller import ADMIN, READ, WRITE

CUSTOM = "custom"
CONFINED = "confined"


@dataclass(frozen=True, slots=True)
class Preset:
    """A purpose in a word, what its keys may do, and their scopes (none: chosen one by one)."""

    name: str
    label: str
    text: str
    scopes: tuple[str, ...] = ()


AGENT = Preset("agent", "Agent", "Stores memories and finds them again.", (READ, WRITE))
PRESETS = (
    AGENT,
    Preset("reader", "Read-only", "Finds memories and facts, and changes nothing.", (READ,)),
    Preset(
        CONFINED,
        "Confined to end users",
        "Reads and writes for the end users you name, and sees nobody else.",
        (READ, WRITE),
    ),
    Preset(
        "admin",
        "Administration",
        "Makes keys, projects and webhooks over the API. Touches no memories.",
        (ADMIN,),
    ),
    Preset(CUSTOM, "Custom", "Choose the scopes yourself."),
)
BY_NAME = {preset.name: preset for preset in PRESETS}
