"""One message of a lane at a time: how a sink keeps the order of a topic's key where its destination does not.

What is sent while the message before it has no answer could be accepted although that one is refused. Pure.
"""

from collections import deque
from collections.abc import Sequence
from typing import Generic, TypeVar

from outbox_kit.router.chain import Message

Item = TypeVar("Item")
Lane = tuple[str, bytes] | None


def lane_of(message: Message) -> Lane:
    """The lane of a message: its topic and key; None without a key, which has no order."""
    return None if message.key is None else (message.topic, message.key)


class Turns(Generic[Item]):
    """The lanes that have a message without an answer, and what waits behind it."""

    def __init__(self) -> None:
        self._waiting: dict[Lane, deque[Item]] = {}

    def begin(self, lane: Lane, item: Item) -> bool:
        """Whether it is an item's turn; if not, it waits."""
        if lane is None:
            return True
        waiting = self._waiting.get(lane)
        if waiting is None:
            self._waiting[lane] = deque()
            return True
        waiting.append(item)
        return False

    def accepted(self, lane: Lane) -> Item | None:
        """The item whose turn is next, after the one before was accepted; None if none waits."""
        waiting = self._waiting.get(lane)
        if waiting:
            return waiting.popleft()
        self._waiting.pop(lane, None)
        return None

    def refused(self, lane: Lane) -> Sequence[Item]:
        """What waited behind an item that was not accepted: it waits no more."""
        return self._waiting.pop(lane, ())

    def withdraw(self) -> Sequence[Item]:
        """Everything that waits: it waits no more. The lanes keep their turns."""
        items = [item for waiting in self._waiting.values() for item in waiting]
        for waiting in self._waiting.values():
            waiting.clear()
        return items

    def clear(self) -> None:
        """Forget all lanes."""
        self._waiting.clear()
