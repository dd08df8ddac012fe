"""From a row to what the connector, its transformations and its converters make of it. Pure."""

import json
from collections.abc import Mapping, Sequence

from outbox_kit.errors import UsageProblem
from outbox_kit.router.chain import Chain, Failed, Outcome, Unknown
from outbox_kit.router.column_types import NoSuchType
from outbox_kit.router.columns import NoSuchValue
from outbox_kit.router.events import RowColumn, change, message
from outbox_kit.router.transforms import DECODE
from outbox_kit.router.values import Failure, NotModelled, SourceRecord
from outbox_kit.versions import Version

NOT_YET_MS = 2**63 - 1  # stands for the moment at which Debezium will read the row
# options of a connector that name the topics of its change records, and the values that are modelled
NAMING = {
    "topic.naming.strategy": (
        "io.debezium.schema.SchemaTopicNamingStrategy",
        "io.debezium.schema.DefaultTopicNamingStrategy",
    ),
    "topic.delimiter": (".",),
}


def send(
    dialect: str,
    config: Mapping[str, str],
    raw_topic: str,
    row: Sequence[RowColumn],
    release: Version,
    *,
    operation: str = "c",
    converted: bool = True,
) -> Outcome:
    """What becomes of a row.

    dialect: the name of the connector's database. config: the connector's, complete. raw_topic: of the row's change
    record, such as `<prefix>.<schema>.<table>`.
    operation: c, r, u, d or t. converted: see `Chain`. Raises UsageProblem where a value does not fit its column.
    """
    if unmodelled := next(
        (name for name, class_names in NAMING.items() if config.get(name, class_names[0]) not in class_names), None
    ):
        return Unknown(f"{unmodelled}: {config[unmodelled]}")
    try:
        record = _record(dialect, config, raw_topic, row, release, operation)
    except (NotModelled, NoSuchType) as reason:
        return Unknown(str(reason))
    except NoSuchValue as cause:
        raise UsageProblem("the row does not fit its columns", why=str(cause)) from None
    try:
        return Chain(config, release, converted=converted).send(record)
    except Failure as failure:
        return Failed("configure", failure.kind, failure.message)
    except NotModelled as reason:
        return Unknown(str(reason))


def _record(
    dialect: str,
    config: Mapping[str, str],
    raw_topic: str,
    row: Sequence[RowColumn],
    release: Version,
    operation: str,
) -> SourceRecord:
    if DECODE in config.values() and raw_topic == f"{config.get('topic.prefix')}.message":
        return message(raw_topic, json.dumps({column.name: column.value for column in row}), at_ms=NOT_YET_MS)
    return change(dialect, config, raw_topic, row, release, operation=operation, at_ms=NOT_YET_MS)
