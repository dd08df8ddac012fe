"""`--probe`: what a canary row needs, which is inserted into the outbox and waited for on its topic."""

from typing import TYPE_CHECKING

from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox


def allow_probe(outbox: "Outbox", dsn: str | None, bootstrap: str | None) -> None:
    """Raise UsageProblem if no canary row can be inserted, or its message cannot be read.

    dsn, bootstrap: the addresses of the database and of the brokers; None if they were not given.
    """
    from outbox_kit.databases import canary

    canary.allow(outbox)
    if outbox.delivery.sink != "kafka":
        raise UsageProblem("--probe reads a topic, and the relay does not publish to Kafka", fix="leave out --probe")
    systems = {"the database": (dsn, "OUTBOX_KIT_DSN"), "Kafka": (bootstrap, "OUTBOX_KIT_BOOTSTRAP")}
    missing = {name: variable for name, (address, variable) in systems.items() if address is None}
    if missing:
        raise UsageProblem(
            f"--probe needs {' and '.join(missing)}; nothing was changed",
            fix=f"set {' and '.join(missing.values())}, or leave out --probe",
        )
