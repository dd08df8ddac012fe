"""How long a fault takes to be detected: an alert fires, or a command reports it, asked again and again."""

import time
from collections.abc import Callable, Mapping, Sequence

from outbox_kit import deadline
from outbox_kit.doctor.observe import SystemAccess, observe
from outbox_kit.doctor.rule import findings
from outbox_kit.errors import OutOfTime
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal

SECONDS = 180.0
SILENT_SECONDS = 60.0
POLL_SECONDS = 0.2
ANSWER_SECONDS = 10.0
"""How long one examination may take, so that a silent system is a finding soon."""


def detected(place: Ground, drill: Drill) -> Mapping[str, float]:
    """Wait until a fault and its other alerts are detected; the seconds to each. Raises OutOfTime in three minutes."""
    missing, began = dict(_signals(place, drill)), time.monotonic()
    seconds: dict[str, float] = {}
    while True:
        reports = set[str]()
        for detector in set(missing.values()):
            reports |= DETECTORS[detector](place)
        for name in missing.keys() & reports:
            seconds[name] = time.monotonic() - began
            del missing[name]
        if not missing:
            return seconds
        if time.monotonic() - began > SECONDS:
            raise _out_of_time(sorted(missing), "did not appear", reports, SECONDS)
        if drill.writes:
            place.write(1)
        time.sleep(POLL_SECONDS)


def silent(place: Ground, drill: Drill) -> None:
    """Wait until no alert of a drill fires before its fault. Raises OutOfTime after a minute."""
    alerts = {name for name, detector in _signals(place, drill).items() if detector is Detector.alert}
    end = time.monotonic() + SILENT_SECONDS
    while firing := alerts & (reports := _of_alerts(place) if alerts else set()):
        if time.monotonic() > end:
            raise _out_of_time(sorted(firing), "is there before the fault, and did not end", reports, SILENT_SECONDS)
        time.sleep(POLL_SECONDS)


def shown_by(place: Ground, signal: FaultSignal) -> str:
    """The alert or finding that shows the fault on an outbox."""
    return signal.threshold if signal.threshold and place.prometheus is None else signal.name


def _signals(place: Ground, drill: Drill) -> Mapping[str, Detector]:
    """What shows the fault of a drill on an outbox, and how it is asked for."""
    signals = {} if drill.signal is None else {shown_by(place, drill.signal): drill.signal.detector}
    return signals | dict.fromkeys(_other_alerts(place, drill), Detector.alert)


def _other_alerts(place: Ground, drill: Drill) -> Sequence[str]:
    """The other alerts that an outbox can show."""
    if place.prometheus is None:
        return ()
    return (*drill.alerts, *(drill.jmx_alerts if place.measured else ()))


def _out_of_time(names: Sequence[str], state: str, reports: set[str], seconds: float) -> OutOfTime:
    others = ", ".join(sorted(reports)) or "nothing"
    return OutOfTime(f"{', '.join(names)} {state} within {seconds:.0f} s", why=f"there is: {others}")


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
