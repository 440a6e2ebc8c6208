"""The leak suite: tries, on a running install, to get at what belongs to somebody else.

It makes throw-away accounts, attacks them over HTTP and as the application's database role, and
removes them. What it attacks is taken from the URL configuration and from the database's own
catalogue, so that a new route or table is attacked by itself, or reported as one that cannot be.
"""

from korely.rest.isolation.making import NotReady
from korely.rest.isolation.report import Report
from korely.rest.isolation.stopping import Stopped
from korely.rest.isolation.suite import run
from korely.rest.isolation.wire import NoAnswer

__all__ = ["NoAnswer", "NotReady", "Report", "Stopped", "run"]
