"""Every way the kit can refuse or fail, and the exit code each one ends in.

OutboxKitError
├── UsageProblem               2   what you gave us is wrong or unsafe
│   ├── BadSchemaFile
│   ├── BadConfigFile
│   │   └── NoConnector
│   ├── BadMessages
│   ├── BadLedger
│   ├── UnknownName
│   ├── UnsafeChange
│   ├── ConfigRefused
│   ├── TableDiffers
│   └── WrongDatabase
├── StalePlan                  1   what was reviewed is not what would be done now
└── EnvironmentProblem         4   the world did not answer, or said no
    ├── DatabaseUnreachable
    ├── DatabaseRefused
    ├── SlotInUse
    ├── TableInUse
    ├── NotProven
    ├── ClocksApart
    ├── PositionLost
    ├── ProducerFenced
    ├── LanesLost
    ├── ConnectUnreachable
    ├── ConnectRefused
    ├── ConnectorUnhealthy
    ├── KafkaUnreachable
    ├── KafkaRefused
    ├── StackFailed
    ├── OutOfTime
    └── SpoolFailed

A finding about a running system is a value, not an error: see `finding`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class OutboxKitError(Exception):
    """A failure with a designed message.

    what: what happened, lower case, names quoted, no full stop.
    where: the place: `file:line:column`, `topic-partition@offset`, a connector's task, a URL, an SQL step.
    why: the reason as far as it is known, often the words of the other side, already redacted.
    fix: the next step, an instruction that works when it is copied; empty when none is known.
    details: further lines (all complaints about one file, a trace), printed last.
    """

    exit_code = 70

    def __init__(
        self, what: str, *, where: str = "", why: str = "", fix: str = "", details: Sequence[str] = ()
    ) -> None:
        super().__init__(what)
        self.what, self.where, self.why, self.fix, self.details = what, where, why, fix, tuple(details)

    def lines(self) -> list[str]:
        """The message as it is printed, one fact a line."""
        labelled = [("at", self.where), ("why", self.why), ("fix", self.fix)]
        facts = [f"  {label:<5} {text}" for label, text in labelled if text]
        return [f"error: {self.what}", *facts, *self.details]


@contextmanager
def noted(place: str) -> Iterator[None]:
    """Adds a place to an exception that nobody foresaw, so that an internal error says where it occurred."""
    try:
        yield
    except OutboxKitError:
        raise
    except Exception as bug:
        bug.add_note(place)
        raise


class UsageProblem(OutboxKitError):
    """What you gave us is wrong or unsafe."""

    exit_code = 2


class BadSchemaFile(UsageProblem):
    """The schema file cannot be read or does not mean an outbox."""


class BadConfigFile(UsageProblem):
    """A file that holds no connector config, or none that can be read."""


class NoConnector(BadConfigFile):
    """A file that holds no connector config."""


class BadMessages(UsageProblem):
    """Captured messages that cannot be read."""


class BadLedger(UsageProblem):
    """A file that should say what was published cannot be read, or says what cannot be."""


class UnknownName(UsageProblem):
    """A name that is not in the list it should come from."""


class UnsafeChange(UsageProblem):
    """A change that destroys or reorders something and was not allowed by name."""


class ConfigRefused(UsageProblem):
    """Kafka Connect's validation names errors in the connector's config."""


class TableDiffers(UsageProblem):
    """The outbox table exists, but with other columns than the schema file says."""


class WrongDatabase(UsageProblem):
    """The database that was named is another one than the schema file's."""


class StalePlan(OutboxKitError):
    """What was reviewed is not what would be done now."""

    exit_code = 1


class EnvironmentProblem(OutboxKitError):
    """The world did not answer, or said no."""

    exit_code = 4


class DatabaseUnreachable(EnvironmentProblem):
    """No connection to the database."""


class DatabaseRefused(EnvironmentProblem):
    """The database answered a statement with an error."""


class SlotInUse(EnvironmentProblem):
    """Another process reads the replication slot."""


class TableInUse(EnvironmentProblem):
    """Another process removes old rows of the table."""


class NotProven(EnvironmentProblem):
    """Nothing proves which events are published, because a position was not received."""


class ClocksApart(EnvironmentProblem):
    """Two clocks differ by so much that the age of rows is not known."""


class PositionLost(EnvironmentProblem):
    """The log behind the position of a delivery is lost: rows may be all that is left of events."""


class ProducerFenced(EnvironmentProblem):
    """Another relay has taken over what this one publishes exactly once."""


class LanesLost(EnvironmentProblem):
    """The lease of a relay has ended, and others may publish the events of its lanes."""


class ConnectUnreachable(EnvironmentProblem):
    """Kafka Connect does not answer."""


class ConnectRefused(EnvironmentProblem):
    """Kafka Connect answered with an error."""


class ConnectorUnhealthy(EnvironmentProblem):
    """The connector is registered, but it does not run or nothing flows through it."""


class KafkaUnreachable(EnvironmentProblem):
    """No broker answers."""


class KafkaRefused(EnvironmentProblem):
    """A broker answered with an error."""


class StackFailed(EnvironmentProblem):
    """A service of the local stack did not start or did not stay up."""


class OutOfTime(EnvironmentProblem):
    """Something did not happen before its deadline."""


class SpoolFailed(EnvironmentProblem):
    """What a verification writes down meanwhile cannot be written, or not be asked."""
