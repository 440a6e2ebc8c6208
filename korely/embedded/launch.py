"""One run of the group: from an unlocked directory to the watch that only a stop ends."""

from collections.abc import Mapping

from korely.embedded import ports
from korely.embedded.account import database_account
from korely.embedded.application import Application
from korely.embedded.binaries import copied_binaries, packaged_binaries
from korely.embedded.console import say
from korely.embedded.data_directory import DataDirectory
from korely.embedded.errors import StartError, StopRequested
from korely.embedded.options import Options
from korely.embedded.postgres import Postgres
from korely.embedded.screen import welcome
from korely.embedded.signals import Signals
from korely.embedded.supervisor import Supervisor
from korely.embedded.valkey import Valkey


class Launch:
    """Starts the parts in order; `end` takes down whatever has been started."""

    def __init__(self, options: Options, environment: Mapping[str, str], signals: Signals) -> None:
        self._options = options
        self._environment = environment
        self._signals = signals
        self._data = DataDirectory(options.data_directory)
        self._supervisor = Supervisor(self._data, signals)

    def run(self, *, application: bool, preparation: bool) -> None:
        """Start and watch. Raises StopRequested when asked to stop, StartError with the reason.

        Without `application` only PostgreSQL and Valkey are started; without `preparation` the
        database gets its roles but no tables.
        """
        self._data.open()
        if application:
            ports.require_free(self._options.host, self._options.port)
        programs = self._start_services()
        key = None
        if preparation:
            say("preparing the database (migrations, first key)")
            key = programs.prepare(self._signals)
        if application:
            try:
                self._start_application(programs)
            except (StartError, StopRequested):
                _say_key(key)  # it exists from here on and is stored nowhere
                raise
            say(welcome(self._options, self._data.path, key, self._environment))
        else:
            _say_key(key)
            say("ready")
        self._supervisor.watch()

    def end(self) -> None:
        """Stop all parts in order and give the data directory free."""
        self._supervisor.stop()
        self._data.close()

    def _start_services(self) -> Application:
        postgres, valkey = self._services()
        self._supervisor.adopt(postgres.part, valkey.part)
        if not postgres.cluster.exists():
            say(f"creating the database in {postgres.cluster}")
            postgres.create(self._signals)
        postgres.check()
        self._data.renew_ports()
        say("starting PostgreSQL and Valkey")
        postgres.start(self._signals)
        postgres.prepare(self._signals)
        valkey.start(self._signals)
        programs = Application(self._options, self._data, postgres, valkey, self._environment)
        for name in programs.ignored_variables():
            say(f"{name} is set and not used here: the embedded servers take its place")
        self._data.write_env(programs.variables)
        self._supervisor.record_pids()
        return programs

    def _services(self) -> tuple[Postgres, Valkey]:
        binaries = packaged_binaries()
        cluster = self._data.existing_cluster()
        account = database_account(cluster)
        if account and not binaries.reachable_by(account):
            binaries = copied_binaries(binaries)
        if cluster is None:
            cluster = self._data.place_for_cluster(account)
        if account and cluster.parent != self._data.path:
            say(
                f"the database is kept in {cluster}, since its user ({account.name})"
                f" cannot enter {self._data.path}"
            )
        return (
            Postgres(self._data, binaries, account, cluster),
            Valkey(self._data, binaries, account),
        )

    def _start_application(self, programs: Application) -> None:
        say("starting web server, worker and beat")
        web, beat, workers = programs.web(), programs.beat(), programs.workers()
        self._supervisor.adopt(*workers, beat, web)  # stopped from the last to the first
        for part in (web, *workers):
            part.start()
        self._supervisor.record_pids()
        programs.await_ready([web, *workers], self._signals)
        beat.start()  # only now: it would compete with the others for the processor
        self._supervisor.record_pids()


def _say_key(key: str | None) -> None:
    if key:
        say(f"first key (shown this once): {key}")
