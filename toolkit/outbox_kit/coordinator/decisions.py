"""What a request does to a message in a state. Pure."""

from outbox_kit.coordinator.problems import Contradiction
from outbox_kit.databases.two_phase import MessageState, StoredMessage

FINAL = {MessageState.submitted: "submitted: its events are published", MessageState.aborted: "aborted"}


def expect_same(message: StoredMessage, digest: str) -> None:
    """A repeated `prepare` is answered as the first one. Raises Contradiction.

    digest: of the document of the request.
    """
    if message.state is not MessageState.prepared:
        raise Contradiction(
            f"the message '{message.message_id}' is {FINAL[message.state]}",
            fix="use a new message id for each business transaction",
        )
    if message.digest != digest:
        raise Contradiction(
            f"the message '{message.message_id}' was prepared with other content",
            fix="use a new message id for each business transaction",
        )


def expect_state(message: StoredMessage, state: MessageState) -> None:
    """A repeated `submit` or `abort` is answered as the first one. Raises Contradiction if the other one was first.

    message: as it is after the request.
    """
    if message.state is not state:
        raise Contradiction(
            f"the message '{message.message_id}' is {FINAL.get(message.state, 'prepared')}",
            why=message.reason,
            fix="the outcome was decided before this request, and does not change",
        )
