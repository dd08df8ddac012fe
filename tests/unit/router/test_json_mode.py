"""MongoDB's json.serialization.mode: where it changes a message, and where a release does not know it."""

from typing import Any

import pytest

from outbox_kit.router.bsontext import MODE
from outbox_kit.router.chain import MONGO_EVENT_ROUTER, Chain, Failed, Message
from outbox_kit.router.events import RowColumn, change
from outbox_kit.router.values import NotModelled
from outbox_kit.versions import Version

STRING = "org.apache.kafka.connect.storage.StringConverter"
CONFIG = {
    "transforms": "outbox",
    "transforms.outbox.type": MONGO_EVENT_ROUTER,
    "transforms.outbox.collection.field.event.timestamp": "at",
    "key.converter": STRING,
    "value.converter": STRING,
}
COLUMNS = (
    RowColumn("_id", "objectId", "6564e2c80000000000000001"),
    RowColumn("aggregatetype", "string", "Order"),
    RowColumn("aggregateid", "string", "7"),
    RowColumn("payload", "object", '{"total": 1.0, "é": [1]}'),
)


def sent(mode: str, milliseconds: int, release: str = "3.7") -> Any:
    config = CONFIG | {MODE: mode}
    row = [*COLUMNS, RowColumn("at", "long", milliseconds)]
    return Chain(config, Version.of(release)).send(change("mongodb", config, "p.shop.outbox", row, Version.of(release)))


@pytest.mark.parametrize("mode", ["legacy", "strict", "extended", "relaxed"])
def test_a_document_is_the_same_event_in_every_mode(mode: str) -> None:
    message = sent(mode, 1_767_323_045_678)
    assert isinstance(message, Message)
    assert message == sent("legacy", 1_767_323_045_678)
    assert (message.timestamp, message.headers) == (1_767_323_045_678, (("id", b"6564e2c80000000000000001"),))


def test_relaxed_does_not_tell_a_small_64_bit_number_from_a_32_bit_one() -> None:
    assert isinstance(sent("extended", 1000), Message)
    assert isinstance(sent("relaxed", 1000), Failed)  # the timestamp is no 64-bit integer then
    assert isinstance(sent("relaxed", 1000, "3.6"), Message)  # which does not know the option


def test_a_mode_that_the_connector_refuses_is_not_modelled() -> None:
    with pytest.raises(NotModelled, match=r"json\.serialization\.mode=plain"):
        sent("plain", 1)
