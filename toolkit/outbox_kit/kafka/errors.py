"""The client's exceptions become ours here."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from confluent_kafka import KafkaError, KafkaException

from outbox_kit.errors import KafkaRefused, KafkaUnreachable, OutboxKitError, UsageProblem

# a broker that has just started does not lead its partitions yet, or not with the epoch that the client knows
NOT_LEADING = {
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.FENCED_LEADER_EPOCH,
    KafkaError.UNKNOWN_LEADER_EPOCH,
}
UNREACHABLE = NOT_LEADING | {
    KafkaError._ALL_BROKERS_DOWN,
    KafkaError._TRANSPORT,
    KafkaError._TIMED_OUT,
    KafkaError._RESOLVE,
    KafkaError.REQUEST_TIMED_OUT,
}
NOT_LET_IN = {KafkaError._AUTHENTICATION, KafkaError._SSL}
FORBIDDEN = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    KafkaError.GROUP_AUTHORIZATION_FAILED,
}
ACCESS = "see what --kafka-config says: security.protocol, sasl.*, ssl.*"


@contextmanager
def translated(bootstrap: str, client_errors: Sequence[KafkaError] = ()) -> Iterator[None]:
    """Turn a KafkaException of the block into a problem of ours.

    client_errors: what the client said of its connections.
    """
    try:
        yield
    except KafkaException as cause:
        error = cause.args[0]
        reasons = [earlier for earlier in client_errors if earlier.code() != KafkaError._ALL_BROKERS_DOWN]
        reported = (
            reasons[-1] if reasons and error.code() in UNREACHABLE else error
        )  # who waits in vain knows no reason
        raise problem(reported, bootstrap) from cause


def refusal_text(error: KafkaError, right: str) -> str:
    """A client's words for a refusal. right: the one that was needed, by Kafka's name of it."""
    return f"no right to {right}: {error.str()}" if error.code() in FORBIDDEN else str(error.str())


def problem(error: KafkaError, bootstrap: str) -> OutboxKitError:
    """The error of ours that says what a client's error says."""
    code, why = error.code(), error.str()
    if code in UNREACHABLE:
        fix = (
            "name the brokers: --bootstrap HOST:PORT, or OUTBOX_KIT_BOOTSTRAP; if they ask who is there, --kafka-config"
        )
        return KafkaUnreachable("no Kafka broker answers", where=bootstrap, why=why, fix=fix)
    if code in NOT_LET_IN:
        return KafkaRefused("Kafka does not let us in", where=bootstrap, why=why, fix=ACCESS)
    if code == KafkaError._INVALID_ARG:
        return UsageProblem("Kafka's client does not take its settings", where="--kafka-config", why=why, fix=ACCESS)
    fix = "ask for the right, or come as somebody else: --kafka-config" if code in FORBIDDEN else ""
    return KafkaRefused("Kafka refused a request", where=bootstrap, why=why, fix=fix)
