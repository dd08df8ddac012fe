"""Rules about the clients of Kafka that a connector or Debezium Server configures."""

from collections.abc import Iterator

from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

MECHANISM = "sasl.mechanism"
NEEDED = {
    "PLAIN": ("sasl.jaas.config",),
    "SCRAM-SHA-256": ("sasl.jaas.config",),
    "SCRAM-SHA-512": ("sasl.jaas.config",),
    "OAUTHBEARER": ("sasl.jaas.config",),
    "AWS_MSK_IAM": ("sasl.jaas.config", "sasl.client.callback.handler.class"),
}
"""What a client needs by its mechanism."""
OF_JAVA = "java.security.auth.login.config"
"""A system property that names a file with the login of all clients."""
PASSED_ON = (
    "producer.override.",
    "consumer.override.",
    "schema.history.internal.producer.",
    "schema.history.internal.consumer.",
    "signal.consumer.",
    "debezium.sink.kafka.producer.",
)
"""Prefixes of the options of clients that inherit nothing."""


@rule("login-missing", Consequence.stop, evidence="N20", fix="set the option for this client too")
def login_missing(subject: Subject) -> Iterator[Violation]:
    """A client of Kafka with a mechanism for its login has the login.

    It does not inherit that of the worker, and does not start without one.
    """
    entries = {**subject.config, **subject.document.settings}
    if subject.document.supplemented or OF_JAVA in subject.text:
        return
    for prefix in PASSED_ON:
        key = f"{prefix}{MECHANISM}"
        for name in NEEDED.get(entries.get(key, "").strip().upper(), ()) if subject.says(key) else ():
            if f"{prefix}{name}" not in entries:
                yield Violation(key, f"'{prefix}{name}' is not set", unset=f"{prefix}{name}")
                break
