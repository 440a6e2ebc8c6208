"""Exports of other memory services, turned into lines of an import (docs/migration.md).

A file is read up to three times, so that nothing but ids and names is kept: once for what its
records refer to (names of nodes, users of threads), once for memories, once for facts.
"""

from korely.rest.transfer.foreign.origins import ORIGINS, Origin, make_origin
from korely.rest.transfer.foreign.reading import ForeignLines
from korely.rest.transfer.foreign.records import Records, Unreadable

__all__ = ["ORIGINS", "ForeignLines", "Origin", "Records", "Unreadable", "make_origin"]
