"""The errors of a request to the coordinator. Pure."""

from outbox_kit.errors import UsageProblem


class InvalidRequest(UsageProblem):
    """A request that the coordinator does not take."""


class Contradiction(UsageProblem):
    """A request that contradicts what was decided of a message."""


class UnknownMessage(UsageProblem):
    """There is no message of that id."""
