"""The errors of an inbox, and what an error of a database or of a handler means to a consumer. Pure."""

from outbox_kit.errors import EnvironmentProblem, UsageProblem

CONNECTION_ERRORS = {"OperationalError", "InterfaceError"}
"""The classes of PEP 249 for errors of the connection, lock timeouts, deadlocks and failed serializations."""


class Reject(Exception):
    """A handler's decision that a message can never be processed: it becomes a dead letter without another attempt."""


class InvalidMessage(UsageProblem):
    """A message without the header that the inbox needs, or with an invalid value in it."""


class OutsideWindow(UsageProblem):
    """A message id for which the inbox has no partition, and will have none."""


class PartitionMissing(EnvironmentProblem):
    """The inbox has no partition yet for the day of a message id."""


class SequenceGap(EnvironmentProblem):
    """Messages of a key are missing before this one."""


class PartitionFenced(EnvironmentProblem):
    """A consumer of a later generation has taken the topic partition over."""


class OffsetLost(EnvironmentProblem):
    """The topic no longer has the offset at which the consumer has to continue."""


class PurgeRefused(EnvironmentProblem):
    """InboxMessage ids may still be redelivered, or it is unknown whether they may."""


def is_outage(error: BaseException) -> bool:
    """Whether an error is about the connection or about other transactions, and not about the message.

    The message is then attempted again without a limit: a database that is unreachable makes no dead letters.
    """
    return any(kind.__name__ in CONNECTION_ERRORS for kind in type(error).__mro__)


def sqlstate(error: BaseException) -> str:
    """The SQLSTATE of a driver's error; empty if it has none. SQLAlchemy's and Django's errors wrap the driver's."""
    for cause in (error, getattr(error, "orig", None), error.__cause__):
        code = getattr(cause, "sqlstate", None) or getattr(cause, "pgcode", None)
        if isinstance(code, str):
            return code
    return ""
