"""The client's exceptions become ours here."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from confluent_kafka import KafkaError, KafkaException

from outbox_kit.errors import KafkaRefused, KafkaUnreachable, OutboxKitError, UsageProblem
from outbox_kit.kafka.access import Settings, refusal, unencrypted
from outbox_kit.tls import TlsExplanation, TlsFault, fault

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
ADDRESS = "check the brokers' address: --bootstrap HOST:PORT, or OUTBOX_KIT_BOOTSTRAP"
INVALID = "invalid Kafka client properties"
ACCESS = "check security.protocol, sasl.* and ssl.* in the file of --kafka-config"

LOG = logging.getLogger(__name__)


@contextmanager
def translated(
    bootstrap: str, client_errors: Sequence[KafkaError] = (), access: Settings | None = None
) -> Iterator[None]:
    """Turn a KafkaException of the block into an OutboxKitError.

    client_errors: what the client said of its connections. access: the client's settings.
    """
    began = time.monotonic()
    try:
        yield
        LOG.debug("Kafka at %s answered after %.0f ms", bootstrap, (time.monotonic() - began) * 1000)
    except KafkaException as cause:
        error = cause.args[0]
        reasons = [earlier for earlier in client_errors if earlier.code() != KafkaError._ALL_BROKERS_DOWN]
        refusals = [earlier for earlier in reasons if earlier.code() in NOT_LET_IN]  # each may end a connection later
        foreign = [earlier for earlier in reasons if is_foreign(earlier)]
        # a call that timed out has no reason
        reported = [*reasons, *refusals, *foreign][-1] if reasons and error.code() in UNREACHABLE else error
        raise problem(reported, bootstrap, access) from cause


def refusal_text(error: KafkaError, right: str) -> str:
    """A client's words for a refusal. right: the one that was needed, by Kafka's name of it."""
    return f"no right to {right}: {error.str()}" if error.code() in FORBIDDEN else str(error.str())


def is_foreign(error: KafkaError) -> bool:
    """Whether the server at the address answered in another protocol than Kafka's, such as HTTP."""
    return "Invalid response size" in error.str()


def is_final(error: KafkaError) -> bool:
    """Whether the same request would fail again: for credentials, certificates, or a server that is not a broker.

    A broker that ends during the handshake looks like one without TLS.
    """
    kind = fault(error.str())
    return error.code() in NOT_LET_IN or is_foreign(error) or kind not in (None, TlsFault.clear_server)


def lasting_refusal(error: KafkaError, bootstrap: str, access: Settings) -> OutboxKitError | None:
    """The problem for an error that another attempt would not change; None for any other. access: as of `problem`."""
    if not is_final(error) and fault(error.str()) is not None:
        return None
    refused = problem(error, bootstrap, access)
    return None if isinstance(refused, KafkaUnreachable) and not is_final(error) else refused


def problem(error: KafkaError, bootstrap: str, access: Settings | None = None) -> OutboxKitError:
    """The problem for a client's error. access: the client's settings, if a broker may be asked about its TLS."""
    code, why = error.code(), error.str()
    if access is not None and (explanation := _of_tls(error, bootstrap, access)) is not None:
        if code == KafkaError._INVALID_ARG:
            return UsageProblem(INVALID, where="--kafka-config", why=explanation.why, fix=explanation.fix)
        return KafkaRefused("no TLS connection to Kafka", where=bootstrap, why=explanation.why, fix=explanation.fix)
    if is_foreign(error):
        why = "the server at this address does not speak Kafka's protocol; a listener with TLS may be the reason too"
        return KafkaUnreachable("no Kafka broker answers", where=bootstrap, why=why, fix=f"{ADDRESS}; {ACCESS}")
    if code in UNREACHABLE:
        fix = f"{ADDRESS}; if they require authentication or TLS: --kafka-config FILE"
        return KafkaUnreachable("no Kafka broker answers", where=bootstrap, why=why, fix=fix)
    if code in NOT_LET_IN:
        return KafkaRefused("Kafka authentication failed", where=bootstrap, why=why, fix=ACCESS)
    if code == KafkaError._INVALID_ARG:
        return UsageProblem(INVALID, where="--kafka-config", why=why, fix=ACCESS)
    fix = "grant the right, or use another user: --kafka-config" if code in FORBIDDEN else ""
    return KafkaRefused("Kafka refused a request", where=bootstrap, why=why, fix=fix)


def _of_tls(error: KafkaError, bootstrap: str, access: Settings) -> TlsExplanation | None:
    """Why there is no TLS connection, if that is the reason of an error."""
    if (explanation := refusal(error.str(), access)) is not None:
        return explanation
    return unencrypted(bootstrap, access) if is_foreign(error) or error.code() in UNREACHABLE else None
