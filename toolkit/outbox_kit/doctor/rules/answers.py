"""Rules about the parts of the system that were asked: what has not answered is not examined."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation, SystemPart
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity


def _unanswered(system: SystemObservation, part: SystemPart) -> Iterator[SystemViolation]:
    for problem in system.unanswered.get(part, ()):
        why = f": {problem.why}" if problem.why else ""
        yield SystemViolation(f"{problem.what}{why}", problem.where or part.value, problem.fix)


@rule(
    "DOC-ANSWERS-01",
    Severity.inconclusive,
    fix="check OUTBOX_KIT_DSN, or --dsn DSN",
    needs=(Need.database_given,),
)
def database(system: SystemObservation) -> Iterator[SystemViolation]:
    """The database has answered every question.

    The rules about it could not be checked.
    """
    yield from _unanswered(system, SystemPart.database)


@rule(
    "DOC-ANSWERS-02",
    Severity.inconclusive,
    fix="check OUTBOX_KIT_CONNECT, or --connect URL",
    needs=(Need.by_connector, Need.connect_given),
)
def connect(system: SystemObservation) -> Iterator[SystemViolation]:
    """Kafka Connect has answered every question.

    The rules about the worker and the connector could not be checked.
    """
    yield from _unanswered(system, SystemPart.connect)


@rule(
    "DOC-ANSWERS-03",
    Severity.inconclusive,
    fix="check OUTBOX_KIT_BOOTSTRAP, or --bootstrap HOST:PORT",
    needs=(Need.to_kafka, Need.kafka_given),
)
def kafka(system: SystemObservation) -> Iterator[SystemViolation]:
    """Kafka has answered every question.

    The rules about topics could not be checked.
    """
    yield from _unanswered(system, SystemPart.kafka)
    if system.kafka:
        for topic, why in system.kafka.hidden.items():
            acl = f"--add --allow-principal User:NAME --operation Describe --topic {topic}"
            fix = f"kafka-acls.sh --bootstrap-server {system.kafka.bootstrap} {acl}"
            yield SystemViolation(f"topic '{topic}' was not examined: {why}", topic, fix)
