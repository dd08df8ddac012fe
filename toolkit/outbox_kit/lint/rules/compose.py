"""Rules about the containers that a compose file runs beside a connector."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import containers, database_settings
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim
from outbox_kit.versions import Version

CLASS = "connector.class"
FACTOR = "CONNECT_CONFIG_STORAGE_REPLICATION_FACTOR"
CONFLUENT = lazy_pattern(r"(?:^|/)cp-(?:kafka|server)-connect(?:-base)?(?:[:@]|$)")


@rule(
    "internal-topics-replicated",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="set CONNECT_CONFIG_STORAGE_REPLICATION_FACTOR and those of offsets and status to 1",
)
def internal_topics_replicated(subject: Subject) -> Iterator[Violation]:
    """The topics of a worker have as many copies as there are brokers.

    Kafka Connect creates them with three by default: with one broker its worker ends.
    """
    if len(containers.brokers(subject.text)) != 1:
        return
    for block in containers.workers(subject.text):
        is_whole = "CONNECT_CONFIG_STORAGE_TOPIC" in block and "env_file" not in block and "<<:" not in block
        if is_whole and CONFLUENT.search(containers.image(block)) and FACTOR not in block:
            yield Violation(CLASS, f"the worker in the file has no {FACTOR}, and the file has one broker")
            return


@rule(
    "port-of-host",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="use the port on which the container listens",
)
def port_of_host(subject: Subject) -> Iterator[Violation]:
    """A connector reaches another container on the port on which that listens.

    The port that is published is one of the host; in the network of the containers nothing listens on it.
    """
    host, port = (trim(subject.config.get(f"database.{name}", "")) for name in ("hostname", "port"))
    block = containers.services(subject.text).get(host, "") if port else ""
    ports = [match for match in containers.PORT.finditer(block) if match["published"] == port != match["inside"]]
    others = re.findall(rf"(?<!\d){re.escape(port)}(?!\d)", block) if ports else []
    if len(ports) == len(others) == 1:
        inside = ports[0]["inside"]
        yield Violation("database.port", f"'{host}' listens on {inside} in its network; {port} is a port of the host")


ADVERTISED = lazy_pattern(r"KAFKA_(?:CFG_)?ADVERTISED_LISTENERS[\"']?\s*[:=][ \t]*[\"']?(?P<value>[^\s\"'#]+)")
OF_HOST = lazy_pattern(r"(?:[A-Z_0-9]+://)?(?:localhost|127\.0\.0\.1):\d+")


@rule(
    "broker-advertises-localhost",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="advertise an address of the broker's service too: INTERNAL://kafka:9092",
)
def broker_advertises_localhost(subject: Subject) -> Iterator[Violation]:
    """A broker advertises an address at which the worker's container reaches it.

    Its clients go on with the advertised address: localhost is their own container.
    """
    workers = [block for block in containers.workers(subject.text) if "network_mode" not in block]
    for block in containers.brokers(subject.text) if workers else ():
        match = ADVERTISED.search(block)
        addresses = match["value"].split(",") if match and "$" not in match["value"] else []
        if addresses and all(map(OF_HOST.fullmatch, addresses)) and "network_mode" not in block:
            yield Violation(CLASS, f"the broker in the file advertises {', '.join(addresses)} only")
            return


BROKERS = lazy_pattern(r"\b(?:CONNECT_)?BOOTSTRAP_SERVERS[\"']?\s*[:=][ \t]*[\"']?(?P<host>[A-Za-z][\w-]*):\d+")
REACHES_OTHERS = lazy_pattern(r"\b(?:aliases|external_links|links|extra_hosts|network_mode|external|include|extends)\b")
"""What may give a service another name, or bring services of other files."""


@rule(
    "broker-not-in-network",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="O",
    fix="write the name of the broker's service into BOOTSTRAP_SERVERS",
)
def broker_not_in_network(subject: Subject) -> Iterator[Violation]:
    """The worker of the file looks for the brokers at a service that the file has, if it has brokers.

    A name that no container of the network has is not found: the worker ends, and runs no connector.
    """
    text = subject.text
    for block in containers.workers(text) if containers.brokers(text) and not REACHES_OTHERS.search(text) else ():
        match = BROKERS.search(block)
        if match and not match["host"].startswith("localhost") and not containers.at_host(text, match["host"]):
            yield Violation(
                CLASS, f"no service of the file is called '{match['host']}', where the worker looks for brokers"
            )
            return


NOT_CREATED = lazy_pattern(r"auto[._]create[._]topics[._]enable[\"']?\s*[:=][ \t]*[\"']?false", re.IGNORECASE)
CREATES = lazy_pattern(
    r"--create\b|kafka_topic\b|\bKafkaTopic\b|create[-_]?topics?\b|rpk topic|NewTopic", re.IGNORECASE
)
BY_CONNECT = "topic.creation.default.replication.factor"


@rule(
    "topics-not-created",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="O",
    fix="set topic.creation.default.replication.factor and topic.creation.default.partitions",
)
def topics_not_created(subject: Subject) -> Iterator[Violation]:
    """Something creates the topics of a connector.

    The broker that the file shows does not, and Kafka Connect does so only if its options say how: the task fails,
    unless they are created elsewhere.
    """
    if subject.connector is None or subject.document.settings or BY_CONNECT in subject.config:
        return
    refuses = any(map(NOT_CREATED.search, containers.brokers(subject.text)))
    if refuses and not CREATES.search(NOT_CREATED.sub("", subject.text)) and subject.says(BY_CONNECT):
        yield Violation(CLASS, "the broker in the file creates no topics, and the connector neither", unset=BY_CONNECT)


NUMBER = lazy_pattern(r"\d+\.\d+")
WITHOUT_MASTER = Version.of("8.4")
KNOWS_BINARY_LOG = Version.of("2.7")


@rule(
    "server-too-new",
    Consequence.stop,
    of_names=True,
    evidence="O",
    connectors=MYSQL.name,
    fix="use Debezium 3, or MySQL 8.0",
)
def server_too_new(subject: Subject) -> Iterator[Violation]:
    """The connector knows the release of the server.

    MySQL 8.4 has no SHOW MASTER STATUS any more, with which releases of Debezium before 2.7 ask for the position.
    """
    block = containers.services(subject.text).get(trim(subject.config.get("database.hostname", "")), "")
    name, tag = database_settings.image(block) or ("", "")
    number = NUMBER.match(tag) if name == MYSQL.name else None
    if number and Version.of(number[0]) >= WITHOUT_MASTER and subject.release < KNOWS_BINARY_LOG:
        yield Violation(CLASS, f"Debezium {subject.release.text} does not know MySQL {number[0]}")
