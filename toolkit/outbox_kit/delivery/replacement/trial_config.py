"""The connector of a trial: the new connector with other names, and with a prefix before each topic. Pure."""

from dataclasses import dataclass, replace

from outbox_kit.connect.client import Config
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector

STEP = "outboxKitTrial"
SUFFIX, SLOT_SUFFIX = "-trial", "_trial"
LONGEST_SLOT = 63
DROPPED = lazy_pattern(r"signal\..*|slot\.failover|slot\.drop\.on\.stop")
"""Options of the connector that its trial must not have: signals are for one connector of a group."""


@dataclass(frozen=True)
class TrialNames:
    """The names of a trial."""

    connector: str
    slot: str
    """Of the replication slot."""
    topics: str
    """The prefix of all topics."""


def trial_names(outbox: Outbox) -> TrialNames:
    """The names of the trial of an outbox's connector."""
    names = outbox.names
    slot = f"{names.slot[: LONGEST_SLOT - len(SLOT_SUFFIX)]}{SLOT_SUFFIX}"
    return TrialNames(f"{names.connector}{SUFFIX}", slot, f"{names.connector}.trial.")


def trial_of(delivery: Debezium) -> Debezium:
    """The connector of the trial, with its config. delivery: the new connector, with its config.

    topic.prefix is another one: two connectors with one prefix in one worker cannot register their metrics.
    """
    outbox, names = delivery.outbox, trial_names(delivery.outbox)
    prefix = f"{(delivery.config or {})['topic.prefix']}{SUFFIX}"
    raw = {name: value for name, value in outbox.connect.config.items() if not DROPPED.fullmatch(name)}
    raw |= {name: value for name, value in (("topic.prefix", prefix), ("slot.name", names.slot)) if name in raw}
    changes = {"connector": names.connector, "slot": names.slot, "topic_prefix": prefix, "config": raw}
    connect = outbox.connect.model_copy(update=changes)
    trial = outbox.model_copy(update={"connect": connect})
    return replace(delivery, outbox=trial, config=_with_prefix(connector.config(trial), names.topics))


def _with_prefix(config: Config, prefix: str) -> Config:
    """A config whose last transformation puts a prefix before the topic of each record."""
    steps = [step.strip() for step in config.get("transforms", "").split(",") if step.strip()]
    kept = {name: value for name, value in config.items() if not DROPPED.fullmatch(name)}
    return kept | {
        "transforms": ",".join([*steps, STEP]),
        f"transforms.{STEP}.type": "org.apache.kafka.connect.transforms.RegexRouter",
        f"transforms.{STEP}.regex": "(.*)",
        f"transforms.{STEP}.replacement": f"{prefix.replace('$', '')}$1",
    }
