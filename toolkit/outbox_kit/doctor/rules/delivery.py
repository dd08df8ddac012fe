"""Rules about the delivery as a whole, of which only an event is a proof: `doctor --probe` sends one."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity


@rule(
    "DOC-DELIVERY-01",
    Severity.error,
    fix="see the other findings, and the log of the worker or relay",
    needs=(Need.probed, Need.publishing, Need.canary),
)
def arrives(system: SystemObservation) -> Iterator[SystemViolation]:
    """The message of a canary row arrives in its topic.

    Events are not published, or later than --probe-seconds.
    """
    canary = system.canary
    if canary and canary.location is None:
        caveat = f" ({system.routes.caveat})" if system.routes.caveat else ""
        seconds = canary.milliseconds / 1000
        text = f"canary row {canary.event_id} did not arrive in topic '{canary.topic}' within {seconds:.0f} s{caveat}"
        yield SystemViolation(text, canary.topic)
