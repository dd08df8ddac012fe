"""Rules about the Kafka Connect worker. Its own settings are not part of its REST API: see docs/doctor.md."""

from collections.abc import Iterator, Mapping

from outbox_kit.doctor.needs import KAFKA, WORKER
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.versions import Version

LEAST = "3.6"
CLASSES = ("connector.class", "key.converter", "value.converter", "header.converter")
SEPARATOR = ", "


def _classes(config: Mapping[str, str]) -> list[str]:
    """The classes that a config names."""
    kinds = [name for name in config if name.startswith(("transforms.", "predicates.")) and name.endswith(".type")]
    return [config[name] for name in (*CLASSES, *kinds) if name in config]


def _installed(system: SystemObservation) -> Mapping[str, set[str]]:
    """The versions of each class that the worker has."""
    versions: dict[str, set[str]] = {}
    for plugin in system.connect.plugins or () if system.connect else ():
        versions.setdefault(str(plugin["class"]), set()).add(str(plugin.get("version") or "unknown"))
    return versions


@rule(
    "DOC-WORKER-01",
    Severity.error,
    fix="install it in plugin.path of every worker, and restart them",
    needs=(*WORKER, Need.plugins),
)
def plugins(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker has every class that the connector's config names.

    The connector cannot be registered, or its task fails.
    """
    installed = _installed(system)
    kinds = {plugin.get("type") for plugin in system.connect.plugins or ()} if system.connect else set()
    only_connectors = kinds <= {"source", "sink"}  # as workers before Kafka Connect 3.2 answer
    names = [system.config["connector.class"]] if only_connectors else _classes(system.config)
    for name in dict.fromkeys(names):
        if name not in installed:
            yield SystemViolation(f"the worker does not have {name}", name)


@rule(
    "DOC-WORKER-02",
    Severity.warning,
    fix="leave one version in plugin.path of every worker, and restart them",
    needs=(*WORKER, Need.plugins),
)
def one_version(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker has one version of each class.

    Which of them is used depends on the release of Kafka Connect.
    """
    installed = _installed(system)
    for name in dict.fromkeys(_classes(system.config)):
        if len(versions := installed.get(name, set())) > 1:
            yield SystemViolation(f"{name} is installed as {SEPARATOR.join(sorted(versions))}", name)


@rule(
    "DOC-WORKER-03",
    Severity.warning,
    fix="set connect.debezium in the schema file to the installed release, and deploy again",
    needs=(*WORKER, Need.plugins),
)
def release(system: SystemObservation) -> Iterator[SystemViolation]:
    """The installed release of Debezium is the one of the schema file.

    Options and defaults differ from release to release.
    """
    name, expected = system.config["connector.class"], system.outbox.connect.debezium
    for version in sorted(_installed(system).get(name, set())):
        if version[:1].isdigit() and Version.of(version) != Version.of(expected):
            text = f"Debezium {version} is installed, the schema file has connect.debezium: {expected}"
            minor = ".".join(version.split(".")[:2])
            yield SystemViolation(text, name, f'set connect.debezium: "{minor}" in the schema file, and deploy again')


@rule("DOC-WORKER-04", Severity.warning, fix="use a newer worker", needs=WORKER)
def offsets(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker can show and delete stored offsets: Kafka Connect 3.6 or later.

    A position that the server does not have any more cannot be deleted otherwise.
    """
    version = str(system.connect.worker["version"]) if system.connect else ""
    if version[:1].isdigit() and Version.of(version) < Version.of(LEAST):
        yield SystemViolation(f"the worker is of Kafka Connect {version}", version)


@rule(
    "DOC-WORKER-05",
    Severity.error,
    fix="name the worker's own brokers: --bootstrap HOST:PORT, or OUTBOX_KIT_BOOTSTRAP",
    needs=(*WORKER, *KAFKA),
)
def one_cluster(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker and the brokers that were named are of one Kafka cluster.

    Otherwise the topics of another cluster are examined.
    """
    cluster = system.connect.worker.get("kafka_cluster_id") if system.connect else None
    other = system.kafka.cluster if system.kafka else None
    if cluster and other and cluster != other:
        yield SystemViolation(f"the worker is of cluster {cluster}, the brokers are of cluster {other}", str(cluster))
