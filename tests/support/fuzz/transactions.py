"""The steps of a drawn transaction on a real PostgreSQL."""

from typing import Any

import psycopg


def end_or_mark(connection: psycopg.Connection[Any], step: str) -> bool:
    """Run a step other than an insert. Returns whether the transaction ended."""
    match step:
        case "commit":
            connection.commit()
        case "rollback":
            connection.rollback()
        case "savepoint":
            connection.execute("savepoint s")
        case "rollback to":
            connection.execute("rollback to s")
        case "release":
            connection.execute("release s")
        case _:
            raise ValueError(f"no step of a transaction: {step!r}")
    return step in ("commit", "rollback")
