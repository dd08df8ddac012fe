"""The offsets of a topic that was made just now: what its broker answers until it leads the partitions."""

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, cast

import pytest
from confluent_kafka import IsolationLevel, KafkaError, KafkaException
from confluent_kafka.admin import OffsetSpec

from outbox_kit.kafka import read
from outbox_kit.kafka.admin import Admin

PLACE = ("orders", 0)


class Broker:
    """Answers with errors of these codes, one after another, and then with an offset."""

    def __init__(self, *codes: int) -> None:
        self.codes = list(codes)

    def list_offsets(self, specs: dict[Any, Any], **_: Any) -> dict[Any, Future[Any]]:
        answers: dict[Any, Future[Any]] = {place: Future() for place in specs}
        for answer in answers.values():
            if self.codes:
                answer.set_exception(KafkaException(KafkaError(self.codes.pop(0))))
            else:
                answer.set_result(SimpleNamespace(offset=7))
        return answers


def offsets(broker: Broker) -> dict[tuple[str, int], int]:
    return read._offsets(cast(Admin, broker), [PLACE], OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)


@pytest.mark.parametrize(
    "code",
    [
        KafkaError.UNKNOWN_LEADER_EPOCH,
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError._NOENT,
    ],
)
def test_a_partition_without_a_leader_is_asked_again(code: int) -> None:
    assert offsets(Broker(code, code)) == {PLACE: 7}


def test_another_error_ends_it() -> None:
    with pytest.raises(KafkaException):
        offsets(Broker(KafkaError.TOPIC_AUTHORIZATION_FAILED))
