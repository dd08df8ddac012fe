"""Drivers that need not be installed: they come with an extra of this package."""

from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import UsageProblem


def missing(dialect: Dialect, cause: ImportError) -> UsageProblem:
    """The error for a database whose driver cannot be imported."""
    return UsageProblem(
        f"the driver for {dialect.title} is not installed",
        why=str(cause),
        fix=f"pip install 'outbox-kit[{dialect.access.extra}]'",
    )
