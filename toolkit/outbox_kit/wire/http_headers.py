"""The headers of a message that is sent as a CloudEvent over HTTP in binary mode. Pure.

After the specification's HTTP protocol binding 1.0.2. Attributes that the outbox places itself (`cloudevents`) win over
those that are made here, and a structured event has its attributes in the body.
"""

from collections.abc import Mapping

from outbox_kit.moments import calendar
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import is_http_header
from outbox_kit.wire import cloudevents
from outbox_kit.wire.effective import router_columns

PREFIX = "ce-"
PLAIN = {*range(0x21, 0x7F)} - {ord('"'), ord("%")}
ENCODED = [chr(octet) if octet in PLAIN else f"%{octet:02X}" for octet in range(256)]
"""Each byte as the binding writes it in a header's value."""


class HttpHeaders:
    """The headers of an outbox's messages."""

    def __init__(self, outbox: Outbox) -> None:
        read = router_columns(outbox)
        headers_of_type = (name for name, column in read.headers.items() if column == outbox.table.columns.type)
        self._type = next(headers_of_type, "")
        self._source = f"/{outbox.service}"
        self._content_type = cloudevents.PAYLOADS[outbox.table.payload]

    def of(self, message: Message) -> Mapping[str, str]:
        """A message's headers by their names. Raises ValueError if one cannot be sent."""
        texts = {name: value for name, value in message.headers if value is not None}
        content_type = texts.pop(cloudevents.CONTENT_TYPE, None)
        sent = {_name(name): encoded(value) for name, value in texts.items()}
        if content_type is not None and content_type.startswith(cloudevents.MEDIA_TYPE.encode()):
            return sent | {"content-type": _media_type(content_type)}
        if message.value is not None:
            sent["content-type"] = _media_type(content_type or self._content_type.encode())
        return self._attributes(message, texts) | sent

    def _attributes(self, message: Message, texts: Mapping[str, bytes]) -> dict[str, str]:
        """The attributes of an event for which the outbox has no headers. texts: of the message's headers."""
        attributes = {
            "specversion": cloudevents.VERSION.encode(),
            "id": texts.get("id"),
            "source": self._source.encode(),
            "type": texts.get(self._type, message.topic.encode()),
            "subject": message.key,
            "partitionkey": message.key,
            "time": _time(message.timestamp),
        }
        return {f"{PREFIX}{name}": encoded(value) for name, value in attributes.items() if value}


def encoded(value: bytes) -> str:
    """A header's value with all bytes percent-encoded that the binding does not allow."""
    return "".join(map(ENCODED.__getitem__, value))


def _name(name: str) -> str:
    if name.startswith(cloudevents.PREFIX):
        return f"{PREFIX}{name.removeprefix(cloudevents.PREFIX)}"
    if not is_http_header(name):
        raise ValueError(f"the header '{name}' cannot be sent over HTTP")
    return name


def _media_type(value: bytes) -> str:
    text = value.decode(errors="replace")
    if not (text.isascii() and text.isprintable()):
        raise ValueError(f"the media type {text!r} cannot be sent over HTTP")
    return text


def _time(milliseconds: int | None) -> bytes | None:
    at = None if milliseconds is None else calendar(milliseconds)
    return None if at is None else at.isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()
