"""What keeps a language model from reading a text, in a few fixed words."""

from typing import Literal

Reason = Literal["budget", "resting", "no_answer", "refused", "overloaded", "unusable"]


class WriterUnavailable(Exception):
    """The model did not read the text.

    `reason`: "budget" (the day's tokens are spent), "resting" (it failed on and on and is left
    alone for now), "no_answer" (not reached, too late, too large), "refused" (a status that
    another try does not change), "overloaded" (429 or 5xx to the last try), "unusable" (an answer
    that is none). `seconds`: how long the service is left alone from now on.
    """

    def __init__(self, reason: Reason, detail: str = "", *, seconds: float = 0.0) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail
        self.seconds = seconds
