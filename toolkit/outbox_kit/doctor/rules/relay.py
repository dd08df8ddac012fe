"""Rules about the relay: whether one runs, and the events that it could not publish."""

from collections.abc import Iterator

from outbox_kit.delivery.relay import stalled_first_read
from outbox_kit.doctor.needs import RELAY
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import counted

NEEDS = (*RELAY, Need.created)


@rule("DOC-RELAY-01", Severity.error, fix="outbox-kit relay", needs=NEEDS)
def runs(system: SystemObservation) -> Iterator[SystemViolation]:
    """A relay runs.

    No event is published meanwhile. A relay that reads the log keeps the server from deleting it.
    """
    relay, service = system.relay, system.outbox.service
    if relay and not relay.running:
        text = "no relay runs" + ("" if relay.started else "; none was ever started")
        yield SystemViolation(f"{text} for '{service}'", service, severity=None if relay.started else Severity.info)


@rule("DOC-RELAY-02", Severity.error, fix="see them and decide: outbox-kit relay dead list", needs=NEEDS)
def dead(system: SystemObservation) -> Iterator[SystemViolation]:
    """There are no dead letters.

    Their events are not published until an operator decides about them.
    """
    if system.relay and system.relay.dead:
        text = f"{counted(system.relay.dead, 'dead letter')}: {system.relay.last_cause}"
        yield SystemViolation(text, system.outbox.names.failure_table)


@rule("DOC-RELAY-03", Severity.warning, fix="see them: outbox-kit relay keys", needs=NEEDS)
def lanes(system: SystemObservation) -> Iterator[SystemViolation]:
    """No lane waits for an event that could not be published.

    The later events of its key wait too.
    """
    relay = system.relay
    if relay and relay.waiting and relay.oldest:
        first = relay.oldest.first.failure
        text = (
            f"{counted(relay.waiting, 'lane')} {'waits' if relay.waiting == 1 else 'wait'}, the oldest for "
            f"{relay.oldest.seconds:.0f} s with {counted(relay.oldest.depth, 'event')}: {first.cause}"
        )
        yield SystemViolation(text, first.lane)


@rule("DOC-RELAY-04", Severity.error, fix="see the log of the relay", needs=NEEDS)
def first_read(system: SystemObservation) -> Iterator[SystemViolation]:
    """The initial snapshot of a relay advances.

    Before its first start a relay publishes the rows of the table. Other relays wait until its connection ends.
    """
    first = system.relay.first_read if system.relay else None
    if first and (stalled := stalled_first_read(first)):
        yield SystemViolation(stalled.what, system.outbox.names.slot, stalled.fix)
