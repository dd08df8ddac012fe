"""What a broker does not answer is not answered by a default: of topics, of their settings."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from outbox_kit import secret
from outbox_kit.findings.finding import Collector
from outbox_kit.kafka.read import Cluster
from outbox_kit.verify.checks import CHECKS, configuration
from outbox_kit.verify.request import Request
from tests.support.records import outbox_of


class Admin:
    """Gives one answer, or one error, to everything."""

    def __init__(self, error: int | None = None, entries: dict[str, str] | None = None) -> None:
        self.error, self.entries = error, entries or {}

    def answer(self, *asked: Any, **_: Any) -> dict[Any, "Future[Any]"]:
        future: Future[Any] = Future()
        if self.error is not None:
            future.set_exception(KafkaException(KafkaError(self.error)))
        else:
            future.set_result({name: SimpleNamespace(value=value) for name, value in self.entries.items()})
        return {one: future for one in asked[0]}

    describe_configs = answer

    def describe_topics(self, _: Any, **__: Any) -> dict[Any, "Future[Any]"]:
        return {"t": next(iter(self.answer(["t"]).values()))}

    def list_topics(self, **_: Any) -> Any:
        counts = {"t": 3, "odd": 0, "__own": 1}
        return SimpleNamespace(topics={name: SimpleNamespace(partitions=range(n)) for name, n in counts.items()})


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Any:
    def client(admin: Admin) -> Cluster:
        @contextmanager
        def opened(*_: Any, **__: Any) -> Iterator[Admin]:
            yield admin

        monkeypatch.setattr(Cluster, "client", opened)
        return Cluster("x")

    return client


def test_a_topic_whose_partitions_the_broker_does_not_say_is_none_without_any(given: Any) -> None:
    assert given(Admin()).topics() == {"t": 3}


@pytest.mark.parametrize("error", [KafkaError._TIMED_OUT, KafkaError.LEADER_NOT_AVAILABLE, KafkaError.UNKNOWN])
def test_an_error_is_neither_a_topic_that_is_gone_nor_one_without_settings(given: Any, error: int) -> None:
    cluster = given(Admin(error))
    for ask in (cluster.hidden, cluster.settings):
        with pytest.raises(KafkaException):
            ask(["t"])


def test_a_topic_that_is_gone_and_one_that_is_forbidden(given: Any) -> None:
    gone, forbidden = given(Admin(KafkaError.UNKNOWN_TOPIC_OR_PART)), KafkaError.TOPIC_AUTHORIZATION_FAILED
    assert (gone.hidden(["t"]), gone.settings(["t"])) == ({}, {})
    cluster = given(Admin(forbidden))
    assert "DESCRIBE" in cluster.hidden(["t"])["t"]
    assert cluster.settings(["t"]) == {"t": None}


@pytest.mark.parametrize(
    ("entries", "unseen", "found"),
    [
        ({"cleanup.policy": "delete", "retention.ms": "-1"}, [], []),
        ({"cleanup.policy": "compact", "retention.ms": "1"}, [], ["CFG-04", "CFG-05"]),
        ({"cleanup.policy": "delete"}, ["t"], []),
        ({"retention.ms": "1"}, ["t"], []),
        ({"cleanup.policy": "delete", "retention.ms": "soon"}, ["t"], []),
        ({}, ["t"], []),
    ],
)
def test_a_setting_that_was_not_told_is_not_known(
    given: Any, entries: dict[str, str], unseen: list[str], found: list[str]
) -> None:
    findings = Collector(8, CHECKS.get)
    request = Request(outbox_of(), given(Admin(entries=entries)), None)
    assert configuration.topic_findings(request, ["t"], findings) == unseen
    assert [one.id for one in findings] == found


def test_a_cluster_s_secrets_are_remembered_where_it_goes() -> None:
    import pickle

    secret.forget()
    sent = pickle.dumps(Cluster("x", {"sasl.password": secret.Secret("hunTer2zYgote9")}))
    secret.forget()
    assert "hunTer2" not in repr(pickle.loads(sent).access)  # noqa: S301 - our own
    assert secret.hidden("it is hunTer2zYgote9") == "it is ***"
    secret.forget()
