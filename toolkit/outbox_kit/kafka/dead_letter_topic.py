"""A topic for messages that a consumer could not process."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from confluent_kafka import KafkaException, Producer

from outbox_kit.errors import KafkaRefused
from outbox_kit.kafka.errors import problem

SEND_SECONDS = 30.0
COPIED = ("bootstrap.servers", "client.id", "metadata.max.age.ms")
PREFIXES = ("security.", "sasl.", "ssl.", "socket.", "reconnect.")
LOG = logging.getLogger(f"{__name__}.client")


class DeadLetterTopic:
    """One producer, whose messages are acknowledged by all replicas one by one."""

    def __init__(self, settings: Mapping[str, Any], topic: str) -> None:
        """settings: of the consumer; those of the connection are the producer's too."""
        self.topic = topic
        self._settings = {key: value for key, value in settings.items() if key in COPIED or key.startswith(PREFIXES)}
        self._producer: Producer | None = None

    def send(self, key: bytes | None, value: bytes | None, headers: Sequence[tuple[str, bytes | None]]) -> None:
        """Publish a message and wait for its acknowledgement. Raises KafkaUnreachable, KafkaRefused."""
        bootstrap = str(self._settings.get("bootstrap.servers", ""))
        errors: list[Any] = []
        try:
            if self._producer is None:
                fixed = {"enable.idempotence": True, "delivery.timeout.ms": int(SEND_SECONDS * 1000), "logger": LOG}
                self._producer = Producer({**self._settings, **fixed})
            self._producer.produce(
                self.topic,
                value,
                key,
                headers=list(headers),
                on_delivery=lambda error, _: errors.append(error),
            )
            self._producer.flush(SEND_SECONDS + 5)
        except KafkaException as cause:
            self._producer = None
            raise problem(cause.args[0], bootstrap) from cause
        if not errors:
            self._producer = None
            raise KafkaRefused("a dead letter was not acknowledged", where=f"topic '{self.topic}'")
        if errors[0] is not None:
            self._producer = None
            raise problem(errors[0], bootstrap)
