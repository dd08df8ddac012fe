"""From an event of a schema file to the message that its outbox sends. Pure."""

from collections.abc import Mapping
from typing import Any

from outbox_kit.router.chain import Outcome
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector, rows
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.send import send


def send_event(outbox: Outbox, event: EventType, changes: Mapping[str, Any]) -> Outcome:
    """What becomes of an event's sample row by the config that the outbox generates.

    changes: values by column that replace the sample's. Raises UsageProblem where no sample can be made.
    """
    row = rows.of_event(outbox, event, changes)
    release, rows_topic = Version.of(outbox.connect.debezium), connector_topics(outbox).rows
    return send(outbox.database.dialect, connector.config(outbox), rows_topic, row, release)
