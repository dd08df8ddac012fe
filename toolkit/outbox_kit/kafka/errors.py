"""The client's exceptions become ours here."""

from collections.abc import Iterator
from contextlib import contextmanager

from confluent_kafka import KafkaError, KafkaException

from outbox_kit.errors import EnvironmentProblem, KafkaRefused, KafkaUnreachable

UNREACHABLE = {
    KafkaError._ALL_BROKERS_DOWN,
    KafkaError._TRANSPORT,
    KafkaError._TIMED_OUT,
    KafkaError._RESOLVE,
    KafkaError.REQUEST_TIMED_OUT,
}


@contextmanager
def translated(bootstrap: str) -> Iterator[None]:
    """Turn a KafkaException of the block into KafkaUnreachable or KafkaRefused."""
    try:
        yield
    except KafkaException as cause:
        raise problem(cause.args[0], bootstrap) from cause


def problem(error: KafkaError, bootstrap: str) -> EnvironmentProblem:
    """The error of ours that says what a client's error says."""
    if error.code() in UNREACHABLE:
        return KafkaUnreachable(
            "no Kafka broker answers",
            where=bootstrap,
            why=error.str(),
            fix="name the brokers: --bootstrap HOST:PORT, or OUTBOX_KIT_BOOTSTRAP",
        )
    return KafkaRefused("Kafka refused a request", where=bootstrap, why=error.str())
