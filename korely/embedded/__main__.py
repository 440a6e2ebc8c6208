"""Entry point of ``python -m korely.embedded``."""

import sys

from korely.embedded.cli import main

sys.exit(main())
