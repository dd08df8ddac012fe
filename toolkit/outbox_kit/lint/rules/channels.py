"""Rules about the channels of signals and notifications."""

from collections.abc import Iterator, Mapping

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

OF_CHANNELS: Mapping[str, Mapping[str, str]] = {
    "signal.enabled.channels": {"signal.kafka.topic": "kafka", "signal.file": "file"},
    "notification.enabled.channels": {"notification.sink.topic.name": "sink"},
}
"""The lists of channels, and the options that a channel alone reads."""


@rule(
    "channel-not-enabled",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N12",
    fix="add the channel to the list",
)
def channel_not_enabled(subject: Subject) -> Iterator[Violation]:
    """A channel with options is one of the enabled channels.

    Its signals are not read, or its notifications not sent, without an error.
    """
    for key, readers in OF_CHANNELS.items():
        listed = subject.option(key)
        if listed is None or not listed.is_supported(subject.release):
            continue  # before there was a list, each channel was read
        enabled = _channels(subject.setting(key))
        for option, channel in readers.items() if subject.says(key) else ():
            if option in subject.config and channel not in enabled:
                yield Violation(option, f"{key} has no '{channel}'", unset="" if key in subject.config else key)
                break


WATERMARKS = "signal.data.collection"


@rule(
    "incremental-snapshot-without-table",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N12",
    fix="set signal.data.collection to a table that the connector may write to, or read.only=true",
)
def incremental_snapshot_without_table(subject: Subject) -> Iterator[Violation]:
    """A connector that gets signals for incremental snapshots has a table of signals, or read.only.

    It marks the chunks of such a snapshot by rows in that table, whichever channel the signal came by. Without it the
    signal has no effect, and the channel `source` has no signals.
    """
    asks = "execute-snapshot" in subject.text and "blocking" not in subject.text.lower()
    channel = next((option for option in OF_CHANNELS["signal.enabled.channels"] if option in subject.config), "")
    sets_table = WATERMARKS in subject.config or subject.on("read.only")
    expects = (
        channel and subject.connector and (asks or "source" in _channels(subject.config.get("signal.enabled.channels")))
    )
    if expects and not sets_table and subject.says(WATERMARKS, "read.only"):
        yield Violation(channel, f"'{WATERMARKS}' is not set", unset=WATERMARKS)


def _channels(text: str | None) -> set[str]:
    """The names in a list of channels."""
    return {name.strip().lower() for name in (text or "").split(",")}
