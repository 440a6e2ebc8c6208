#!/usr/bin/env python
"""Django's command line. Reads the data directory's env file of an embedded install by itself."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "korely.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - needs the above

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
