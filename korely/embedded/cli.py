"""The command ``python -m korely.embedded``."""

import argparse
import os
import resource

from korely.embedded.application import caller_environment
from korely.embedded.console import complain, say, use_any_encoding
from korely.embedded.errors import StartError, StopRequested
from korely.embedded.launch import Launch
from korely.embedded.options import Options
from korely.embedded.signals import Signals


def main(arguments: list[str] | None = None) -> int:
    """Run until stopped. Returns the exit code: 0 after a stop, 1 when the start failed."""
    chosen = _parser().parse_args(arguments)
    environment = caller_environment()
    for name in set(os.environ) - set(environment):
        del os.environ[name]
    use_any_encoding()
    _allow_many_connections()
    signals = Signals()
    try:
        launch = Launch(Options.from_environment(environment), environment, signals)
        try:
            launch.run(application=chosen.what == "all", preparation=not chosen.no_prepare)
        finally:
            launch.end()
    except StopRequested:
        say("stopped; the data is kept")
    except (StartError, OSError) as failure:
        complain(f"korely: {failure}")
        return 1
    return 0


def _allow_many_connections() -> None:
    """Idle connections cost the web server a descriptor each; the usual limit is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m korely.embedded",
        description="PostgreSQL, Valkey, web, worker and beat as one supervised group.",
    )
    parser.add_argument(
        "what",
        nargs="?",
        choices=["all", "services"],
        default="all",
        help="all (default), or services: only PostgreSQL and Valkey, migrated",
    )
    parser.add_argument(
        "--no-prepare", action="store_true", help="leave out migrations and the first key"
    )
    return parser
