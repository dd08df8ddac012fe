"""How long a fault takes to be detected: an alert fires, or a command reports it, asked again and again."""

import time
from collections.abc import Callable, Mapping

from outbox_kit import deadline
from outbox_kit.doctor.observe import SystemAccess, observe
from outbox_kit.doctor.rule import findings
from outbox_kit.errors import OutOfTime
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, FaultSignal

SECONDS = 180.0
SILENT_SECONDS = 60.0
POLL_SECONDS = 0.2
ANSWER_SECONDS = 10.0
"""How long one examination may take, so that a silent system is a finding soon."""


def detected(place: Ground, signal: FaultSignal) -> None:
    """Wait until a fault is detected. Raises OutOfTime after three minutes."""
    _await(place, signal, present=True, seconds=SECONDS)


def silent(place: Ground, signal: FaultSignal) -> None:
    """Wait until an alert does not fire before its fault. Raises OutOfTime after a minute."""
    if signal.detector is Detector.alert:
        _await(place, signal, present=False, seconds=SILENT_SECONDS)


def shown_by(place: Ground, signal: FaultSignal) -> str:
    """The alert or finding that shows the fault on an outbox."""
    return signal.threshold if signal.threshold and place.prometheus is None else signal.name


def _await(place: Ground, signal: FaultSignal, *, present: bool, seconds: float) -> None:
    end, name = time.monotonic() + seconds, shown_by(place, signal)
    while (name in (reports := DETECTORS[signal.detector](place))) is not present:
        if present and signal.threshold:
            place.write(1)
        if time.monotonic() > end:
            state = "did not appear" if present else "is there before the fault, and did not end"
            others = ", ".join(sorted(reports)) or "nothing"
            raise OutOfTime(f"{signal.detector} {name} {state} within {seconds:.0f} s", why=f"there is: {others}")
        time.sleep(POLL_SECONDS)


def _of_alerts(place: Ground) -> set[str]:
    return place.watch().firing()


def _of_doctor(place: Ground) -> set[str]:
    access = SystemAccess(place.dsn, place.workers, place.cluster)
    with deadline.within(ANSWER_SECONDS):
        return {finding.id for finding in findings(observe(place.outbox, access, None))[0]}


def _of_verify(place: Ground) -> set[str]:
    return reported(place.shell.typed("outbox-kit verify").output)


def reported(output: str) -> set[str]:
    """The ids of the findings in the text of a report."""
    lines = (line.split() for line in output.splitlines())
    return {words[1] for words in lines if len(words) > 1 and words[0] in SEVERITIES}


SEVERITIES = frozenset({"error", "warning", "info", "inconclusive"})
DETECTORS: Mapping[Detector, Callable[[Ground], set[str]]] = {
    Detector.alert: _of_alerts,
    Detector.doctor: _of_doctor,
    Detector.verify: _of_verify,
}
