"""A stack: its state on disk, up and down, and its services one by one."""

import json
import os
import secrets
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from outbox_kit.errors import StackFailed, UnknownName
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.stack import store
from outbox_kit.stack.manifest import locked
from outbox_kit.stack.processes import Process, free_ports, start, tail, wait_until
from outbox_kit.stack.services import SERVICES, StackPlace, postgres_programs, reachable
from outbox_kit.waiting import waiting_for

DEFAULT = "default"
NAME = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")


def stacks_folder() -> Path:
    """Where stacks keep their state: `$XDG_STATE_HOME/outbox-kit/stacks`, by default below ~/.local/state."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "outbox-kit" / "stacks"


@dataclass
class Stack:
    """One local stack. Owned: its processes die with this one, however it dies."""

    name: str
    place: StackPlace
    processes: dict[str, Process]
    owned: bool = False

    @property
    def postgres_dsn(self) -> str:
        """The superuser's connection string, with its password: for the environment, not for a command line."""
        address = f"host={self.postgres_host} port={self.postgres_port}"
        return f"{address} dbname=postgres user=postgres password={self.place.postgres_password}"

    @property
    def postgres_host(self) -> str:
        return "127.0.0.1"

    @property
    def postgres_port(self) -> int:
        return self.place.postgres_port

    @property
    def dialect(self) -> str:
        """The dialect of its database, as schema files name it."""
        return "postgres"

    @property
    def database_programs(self) -> Path:
        """The folder of the database's own programs, such as its client."""
        return postgres_programs(self.place)

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.place.kafka_port}"

    @property
    def connect_url(self) -> str:
        return f"http://127.0.0.1:{self.place.connect_port}"

    @property
    def connector_password(self) -> str:
        """What the worker resolves `${env:OUTBOX_DB_PASSWORD}` to."""
        return self.place.connector_password

    @property
    def addresses(self) -> dict[str, str]:
        """Where each service listens."""
        return {
            "postgres": f"{self.postgres_host}:{self.postgres_port}",
            "kafka": self.bootstrap,
            "connect": self.connect_url,
        }

    def environment(self, database: str = "postgres") -> dict[str, str]:
        """The variables that the other commands read."""
        return {
            "OUTBOX_KIT_DSN": self.postgres_dsn.replace("dbname=postgres", f"dbname={database}"),
            "OUTBOX_KIT_CONNECT": self.connect_url,
            "OUTBOX_KIT_BOOTSTRAP": self.bootstrap,
            "OUTBOX_DB_PASSWORD": self.connector_password,
        }

    @staticmethod
    def exists(name: str = DEFAULT) -> bool:
        """Whether a stack of that name was started and not taken down."""
        return (_folder(name) / "state.json").exists()

    @classmethod
    def up(cls, name: str = DEFAULT, *, owned: bool = False) -> "Stack":
        """Start a stack and wait until it answers; one that is up already is returned as it is.

        Raises StackFailed; nothing is left running then.
        """
        if cls.exists(name):
            attached = cls.attach(name)
            for service in SERVICES:
                if not attached.alive(service):
                    attached.start(service)
            return attached
        store.fetched(locked())  # all at once, so that the progress is one
        with waiting_for("the connector plugins to be unpacked"):
            store.plugins()
        stack = cls(name, _new_place(name), {}, owned)
        try:
            for service, spec in SERVICES.items():
                with waiting_for(f"the data of {service} to be created"):
                    spec.set_up(stack.place)
            stack._launch("postgres")
            stack._launch("kafka")
            stack._await("kafka")
            stack._launch("connect")
            stack._await("postgres")
            stack._await("connect")
        except BaseException:
            stack.down()
            raise
        return stack

    @classmethod
    def attach(cls, name: str = DEFAULT) -> "Stack":
        """A stack that was started before. Raises StackFailed if no stack has that name."""
        try:
            state = json.loads((stacks_folder() / name / "state.json").read_text(encoding="utf-8"))
        except FileNotFoundError as cause:
            option = "" if name == DEFAULT else f" --name {name}"
            raise StackFailed(f"no stack '{name}'", fix=f"start it: outbox-kit stack up{option}") from cause
        place = {
            **state["place"],
            "folder": Path(state["place"]["folder"]),
            "data": Path(state["place"]["data"]),
        }
        return cls(name, StackPlace(**place), {key: Process(**value) for key, value in state["processes"].items()})

    @classmethod
    @contextmanager
    def running(cls, name: str | None = None) -> Iterator["Stack"]:
        """A stack for the length of a block: up, and down again, also when this process is killed."""
        stack = cls.up(name or f"own-{os.getpid()}-{uuid.uuid4().hex[:6]}", owned=True)
        try:
            yield stack
        finally:
            stack.down()

    def down(self) -> None:
        """End every service and remove what they wrote."""
        with waiting_for(f"the services of stack '{self.name}' to end"):
            for service in reversed(SERVICES):
                if service in self.processes:
                    self.processes[service].terminate()
        shutil.rmtree(self.place.data, ignore_errors=True)
        shutil.rmtree(self.place.folder, ignore_errors=True)

    def alive(self, service: str) -> bool:
        """Whether a service's process runs."""
        return service in self.processes and self.processes[service].alive()

    def kill(self, service: str) -> None:
        """End a service as a power cut would: SIGKILL."""
        self.processes[service].kill()

    def start(self, service: str) -> None:
        """Start a service that was killed, on the same port and data, and wait until it answers."""
        self._launch(service)
        self._await(service)

    def tail(self, service: str, lines: int) -> list[str]:
        """The last lines of a service's log."""
        return tail(self.place.log(service), lines)

    def follow(self, services: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Each line that the services log from now on, with the service's name, until the stack is gone."""
        with ExitStack() as open_files:
            files = {
                service: open_files.enter_context(self.place.log(service).open(errors="replace"))
                for service in services
            }
            for file in files.values():
                file.seek(0, os.SEEK_END)
            while self.place.folder.exists():
                for service, file in files.items():
                    yield from ((service, line.rstrip("\n")) for line in file)
                time.sleep(0.2)

    def _launch(self, name: str) -> None:
        service = SERVICES[name]
        self.processes[name] = start(
            service.command(self.place),
            self.place.log(name),
            owned=self.owned,
            account=service.account(),
            environment=service.environment(self.place),
        )
        self._save()

    def _await(self, name: str) -> None:
        with waiting_for(f"{name} at {self.addresses[name]} to answer"):
            wait_until(lambda: SERVICES[name].ready(self.place), self.processes[name], self.place.log(name), name)

    def _save(self) -> None:
        """Keep the state where `attach` finds it, readable by its owner only: it contains the stack's passwords."""
        state = {
            "place": {key: str(v) if isinstance(v, Path) else v for key, v in asdict(self.place).items()},
            "processes": {key: asdict(process) for key, process in self.processes.items()},
        }
        path = self.place.folder / "state.json"
        staging = path.with_suffix(".new")
        staging.touch(mode=0o600)
        staging.write_text(json.dumps(state, indent=2), encoding="utf-8")
        staging.replace(path)


def _folder(name: str) -> Path:
    """A stack's own folder. Raises UnknownName where the name could lead out of the stacks' folder."""
    if not NAME.fullmatch(name):
        raise UnknownName(
            f"invalid stack name '{name}': expected letters, digits, - and _", fix="choose another --name"
        )
    return stacks_folder() / name


def _new_place(name: str) -> StackPlace:
    folder = _folder(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        # PostgreSQL's user must reach it, also where root's own temporary folder is closed to others
        base = tempfile.gettempdir() if reachable(Path(tempfile.gettempdir())) else "/var/tmp"  # noqa: S108
        data = Path(tempfile.mkdtemp(prefix=f"outbox-kit-{name}-", dir=base))
    except OSError as cause:
        raise StackFailed("no folder for the stack", where=str(folder), why=str(cause)) from cause
    data.chmod(0o755)
    postgres, kafka, controller, connect = free_ports(4)
    passwords = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
    return StackPlace(folder, data, postgres, kafka, controller, connect, *passwords)
