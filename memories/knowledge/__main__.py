"""`python -m memories.knowledge FORMAT FROM INTO`: see `reading.py`."""

import sys
from pathlib import Path

from memories.knowledge.reading import read_document

if __name__ == "__main__":
    sys.exit(read_document(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
