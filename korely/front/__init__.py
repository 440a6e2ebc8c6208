"""The web front: reads requests on the event loop, hands whole ones to a WSGI application.

Django runs in threads. A thread is taken when a request has arrived in full and is given back
when its answer is in the socket's buffer, so a slow or idle client holds none. What the front
finds wrong with a request it passes on as a mark in the WSGI environ, because the order of
refusals is the application's (an unknown route is 404 whatever its body):

    korely.body         "ok", or why `wsgi.input` is empty: "too_large_declared", "unasked" (a large
                        body of somebody who may not send one), "too_large" or "late"
    korely.path_error   True when the path was not UTF-8 once decoded; PATH_INFO then ends in SLASH
                        for the first segment that was not and all that followed it

In PATH_INFO an encoded slash is the character SLASH, so that it never reaches another route.
"""

from korely.front.bodies import BodyLimit, Headers
from korely.front.front import Front
from korely.front.paths import SLASH

__all__ = ["SLASH", "BodyLimit", "Front", "Headers"]
