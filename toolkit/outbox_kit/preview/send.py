"""From a row to what the connector, its transformations and its converters make of it. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from outbox_kit.errors import UsageProblem
from outbox_kit.preview import rows
from outbox_kit.render import connector
from outbox_kit.router.chain import Chain, Failed, Outcome, Unknown
from outbox_kit.router.columns import NoSuchType, NoSuchValue
from outbox_kit.router.events import Column, change, message
from outbox_kit.router.transforms import DECODE
from outbox_kit.router.values import Failure, NotModelled, Record
from outbox_kit.schema.names import names
from outbox_kit.versions import Version

if TYPE_CHECKING:
    from outbox_kit.schema.model import Event, Outbox

NOT_YET_MS = 2**63 - 1  # stands for the moment at which Debezium will read the row


def send(
    dialect: str,
    config: Mapping[str, str],
    raw_topic: str,
    row: Sequence[Column],
    release: Version,
    *,
    operation: str = "c",
    converted: bool = True,
) -> Outcome:
    """What becomes of a row.

    dialect: our name of the connector. config: the connector's, complete. raw_topic: `<prefix>.<schema>.<table>`.
    operation: c, r, u, d or t. converted: see `Chain`. Raises UsageProblem where a value does not fit its column.
    """
    try:
        record = _record(dialect, config, raw_topic, row, operation)
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


def _record(dialect: str, config: Mapping[str, str], raw_topic: str, row: Sequence[Column], operation: str) -> Record:
    if DECODE in config.values() and raw_topic == f"{config.get('topic.prefix')}.message":
        return message(raw_topic, json.dumps({column.name: column.value for column in row}), at_ms=NOT_YET_MS)
    return change(dialect, config, raw_topic, row, operation=operation, at_ms=NOT_YET_MS)


def send_event(outbox: "Outbox", event: "Event", changes: Mapping[str, Any]) -> Outcome:
    """What becomes of an event's sample row by the config that the outbox generates.

    changes: values by column that replace the sample's. Raises UsageProblem where no sample can be made.
    """
    row = rows.of_event(outbox, event, changes)
    release = Version.of(outbox.connect.debezium)
    return send(outbox.database.dialect, connector.config(outbox), names(outbox).raw_topic, row, release)
