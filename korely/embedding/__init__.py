"""Text to vector. Plain Python: no Django, and nothing of the product but this package."""

from korely.embedding.embedder import Embedder, load
from korely.embedding.errors import Busy, ModelUnavailable
from korely.embedding.halfvec import as_halfvec
from korely.embedding.process import embedder
from korely.embedding.turns import Turns

__all__ = ["Busy", "Embedder", "ModelUnavailable", "Turns", "as_halfvec", "embedder", "load"]
