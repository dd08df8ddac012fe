"""A message as an inbox needs it: its id, its place in Kafka, its sequence number and its key. Pure."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from outbox_kit.inbox.problems import InvalidMessage

MOST_CHARACTERS = 255
"""Of a text in the key of an inbox table."""
DIGEST = "sha256:"
BIGINT = 2**63


@dataclass(frozen=True)
class InboxMessage:
    """A record of Kafka, or only its id if it comes from elsewhere."""

    topic: str = ""
    partition: int = -1
    offset: int = -1
    key: bytes | None = None
    value: bytes | None = None
    headers: Mapping[str, bytes | None] = field(default_factory=dict)
    """The last value of each header."""
    timestamp: int | None = None
    """Milliseconds since 1970."""

    @classmethod
    def of_id(cls, message_id: UUID | str | int) -> "InboxMessage":
        """A message of which only the id is needed."""
        return cls(headers={"id": str(message_id).encode()})

    @property
    def place(self) -> str:
        """The topic, partition and offset in a text."""
        return f"{self.topic}-{self.partition}@{self.offset}"

    @cached_property
    def id(self) -> str:
        """The header `id`. Raises InvalidMessage."""
        return self.header("id")

    def header(self, name: str) -> str:
        """The text of a header. Raises InvalidMessage if it is missing or is not UTF-8."""
        value = self.headers.get(name)
        try:
            text = "" if value is None else value.decode()
        except UnicodeDecodeError:
            text = ""
        if not text:
            why = "it is empty or not UTF-8" if name in self.headers else "the message has no such header"
            raise InvalidMessage(f"no text in the header '{name}'", where=self.place, why=why)
        return text

    def number(self, name: str) -> int:
        """The integer in a header, within 64 bits. Raises InvalidMessage."""
        text = self.header(name)
        try:
            number = int(text)
        except ValueError:
            number = BIGINT
        if not -BIGINT <= number < BIGINT:
            raise InvalidMessage(
                f"invalid header {name} '{text[:40]}': expected an integer of 64 bits", where=self.place
            )
        return number


def stored_id(message: InboxMessage, header: str, *, uuids: bool) -> str:
    """A message's id as the inbox stores it: a UUID in lower case, or the text. Raises InvalidMessage."""
    text = message.header(header)
    if not uuids:
        if len(text) > MOST_CHARACTERS or "\0" in text:
            expected = f"expected at most {MOST_CHARACTERS} characters, and no NUL"
            raise InvalidMessage(f"invalid message id '{text[:40]}': {expected}", where=message.place)
        return text
    try:
        return str(UUID(text))
    except ValueError:
        raise InvalidMessage(
            f"invalid message id '{text[:40]}': expected a UUID",
            where=message.place,
            fix="for other ids, set table.ids in the schema file and Inbox(ids='text')",
        ) from None


def stored_key(message: InboxMessage) -> str:
    """A message's key as the inbox stores it: its text, or a digest if that is long or no plain text.

    A message without a key has the empty one: its order is that of the topic partition, which is in the text.
    """
    if message.key is None:
        return f"{message.topic}-{message.partition}"[:MOST_CHARACTERS]
    try:
        text = message.key.decode()
    except UnicodeDecodeError:
        text = ""
    if text and len(text) <= MOST_CHARACTERS and text.isprintable() and not text.startswith(DIGEST):
        return text
    return DIGEST + hashlib.sha256(message.key).hexdigest()
