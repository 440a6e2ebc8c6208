"""The two ways a run of the group is cut short."""


class StartError(Exception):
    """A start that cannot go on. Its text is the single line shown to whoever started it."""


class StopRequested(Exception):
    """Somebody asked the group to stop (SIGINT, SIGTERM, SIGHUP)."""
