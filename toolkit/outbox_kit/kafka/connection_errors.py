"""What a client last reported of its connections to the brokers."""

from confluent_kafka import KafkaError

from outbox_kit.kafka.errors import UNREACHABLE


class ConnectionErrors:
    """The last error of a client's connections, which explains a call that has timed out."""

    def __init__(self) -> None:
        self.text = ""
        """In words; empty if there is none, or the brokers have answered since."""
        self.last: KafkaError | None = None
        """None if there is none since `clear`."""
        self.fatal: KafkaError | None = None
        """That after which the client can only be closed; None if there is none."""

    def add(self, error: KafkaError) -> None:
        """Take an error that the client reports (`error_cb`)."""
        if error.fatal():
            self.fatal = error
        elif error.code() != KafkaError._ALL_BROKERS_DOWN or not self.text:
            self.text, self.last = error.str(), error

    def clear(self) -> None:
        """Before what is to be explained."""
        self.text, self.last = "", None

    def cause(self, error: KafkaError) -> KafkaError:
        """The cause of a call's error: a call that has timed out has none of its own."""
        return self.last if self.last is not None and error.code() in UNREACHABLE else error
