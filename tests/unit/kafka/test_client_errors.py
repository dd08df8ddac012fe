"""A client's errors as errors of ours."""

import pytest
from confluent_kafka import KafkaError, KafkaException

from outbox_kit.errors import KafkaRefused, KafkaUnreachable, OutboxKitError, UsageProblem
from outbox_kit.kafka import errors


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (KafkaError._TRANSPORT, KafkaUnreachable),
        (KafkaError.REQUEST_TIMED_OUT, KafkaUnreachable),
        *((code, KafkaUnreachable) for code in sorted(errors.NOT_LEADING)),
        (KafkaError._AUTHENTICATION, KafkaRefused),
        (KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaRefused),
        (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaRefused),
        (KafkaError._INVALID_ARG, UsageProblem),
    ],
)
def test_every_error_is_one_of_ours(code: int, kind: type[OutboxKitError]) -> None:
    problem = errors.problem(KafkaError(code), "broker:9092")
    assert type(problem) is kind
    assert problem.why == KafkaError(code).str()


def test_an_outage_is_the_same_while_its_brokers_start_again() -> None:
    gone, starting = (
        errors.problem(KafkaError(code), "broker:9092")
        for code in (KafkaError._TRANSPORT, KafkaError.UNKNOWN_LEADER_EPOCH)
    )
    assert gone.what == starting.what


def test_a_refusal_is_reported_though_the_connection_was_lost_behind_it() -> None:
    reported = [KafkaError(code) for code in (KafkaError._AUTHENTICATION, KafkaError._TRANSPORT)]
    with pytest.raises(KafkaRefused, match="authentication"), errors.translated("broker:9092", reported):
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
