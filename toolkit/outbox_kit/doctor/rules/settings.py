"""Rules about the worker's own settings, which its REST API does not show: --worker-config names their file."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import KAFKA
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import INTERNAL_TOPICS, SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.doctor.rules.topics import ALTER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern

NEEDS = (Need.by_connector, Need.worker_config)
PROVIDER = lazy_pattern(r"\$\{([^:{}]+):")
SAFE_REPLICAS = 3
PRODUCER = {
    "acks": (("all", "-1"), "a message that a broker has confirmed is lost when the leader of its partition fails"),
    "enable.idempotence": (("false", "true"), ""),
    "max.in.flight.requests.per.connection": (("1",), "a request that is repeated overtakes the one before it"),
}
"""Settings of producers that Kafka Connect sets itself: their safe values, and the effect of others. Idempotence makes
any number of requests safe that it allows. Source: org.apache.kafka.connect.runtime.Worker, baseProducerConfigs."""


@rule(
    "DOC-SETTINGS-01",
    Severity.error,
    fix="see whether the file and the brokers are those of the worker; the worker creates its topics when it starts",
    needs=(*NEEDS, *KAFKA),
)
def topics(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker's topics of offsets, configs and states exist and are compacted.

    A broker deletes the stored offset after a while otherwise: the connector reads all rows again, or misses some.
    """
    settings, kafka = system.worker_settings or {}, system.kafka
    for setting in INTERNAL_TOPICS:
        name = settings.get(setting)
        if not name or kafka is None or name in kafka.hidden:
            continue
        topic = kafka.topics.get(name)
        if topic is None:
            yield SystemViolation(f"topic '{name}' does not exist ({setting})", name)
            continue
        policy = (topic.settings or {}).get("cleanup.policy", "compact")
        if policy != "compact":
            fix = ALTER.format(at=kafka.bootstrap, topic=name, name="cleanup.policy", value="compact")
            yield SystemViolation(f"topic '{name}' has cleanup.policy={policy} ({setting})", name, fix)
        if setting == "config.storage.topic" and topic.partitions != 1:
            text = f"topic '{name}' has {topic.partitions} partitions, expected 1 ({setting})"
            yield SystemViolation(text, name, "create it again with one partition, and register the connectors again")


@rule(
    "DOC-SETTINGS-02",
    Severity.warning,
    fix="add replicas: kafka-reassign-partitions.sh",
    needs=(*NEEDS, *KAFKA),
)
def replicas(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker's topics have as many replicas as the cluster allows, at most three.

    The stored offset is lost with the broker that has it.
    """
    settings, kafka = system.worker_settings or {}, system.kafka
    for setting in INTERNAL_TOPICS:
        topic = kafka.topics.get(settings.get(setting, "")) if kafka else None
        if topic and kafka and topic.replicas < (expected := min(SAFE_REPLICAS, kafka.brokers)):
            name = settings[setting]
            text = f"topic '{name}' has {topic.replicas} of {expected} possible replicas ({setting})"
            yield SystemViolation(text, name)


@rule(
    "DOC-SETTINGS-03",
    Severity.error,
    fix="add the provider to config.providers of every worker with its class, and restart them",
    needs=NEEDS,
)
def providers(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker has the config providers that the connector's config names.

    Kafka Connect uses a reference such as ${file:PATH:KEY} as it is, as a password for example, and its validation
    reports nothing.
    """
    settings = system.worker_settings or {}
    configured = {name.strip() for name in settings.get("config.providers", "").split(",")}
    for option, value in system.config.items():
        for name in PROVIDER.findall(value):
            if name not in configured or f"config.providers.{name}.class" not in settings:
                yield SystemViolation(f"config provider '{name}' is not configured; {option} needs it", option)


@rule(
    "DOC-SETTINGS-04",
    Severity.error,
    fix="create the topics: the findings of DOC-TOPICS-01 have the commands; or set topic.creation.enable=true",
    needs=(*NEEDS, *KAFKA),
)
def creation(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker may create topics, or those of the events exist.

    The connector waits for a missing topic, and stays RUNNING.
    """
    settings, kafka = system.worker_settings or {}, system.kafka
    missing = [name for name in system.routes.topics if kafka and name not in {*kafka.topics, *kafka.hidden}]
    if settings.get("topic.creation.enable", "true").lower() == "false" and missing:
        text = f"topic.creation.enable is false, and topic '{missing[0]}' does not exist"
        yield SystemViolation(text, missing[0])


@rule(
    "DOC-SETTINGS-05",
    Severity.error,
    fix="remove the setting from the worker, and restart it",
    needs=NEEDS,
)
def producers(system: SystemObservation) -> Iterator[SystemViolation]:
    """The worker's settings of producers lose no message and keep the order.

    Connectors inherit them, unless their config has producer.override.
    """
    settings, config = system.worker_settings or {}, system.config
    effective = {
        name: config.get(f"producer.override.{name}", settings.get(f"producer.{name}", safe[0]))
        for name, (safe, _) in PRODUCER.items()
    }
    idempotent = effective["enable.idempotence"] == "true"
    for name, (safe, effect) in PRODUCER.items():
        value = effective[name]
        if effect and value not in safe and not (idempotent and name.startswith("max.in.flight")):
            yield SystemViolation(f"producer.{name} is {value}: {effect}", f"producer.{name}")
