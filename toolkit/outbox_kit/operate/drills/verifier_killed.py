"""The continuous verification was killed: loss would not be detected."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal


def _kill(place: Ground) -> None:
    if place.verifier is not None:
        place.verifier.kill()


DRILL = Drill(
    fault="verify follow was killed, and judges no window",
    chapter="verify-failed",
    signal=FaultSignal(Detector.alert, "OutboxVerifierSilent"),
    prepare=Ground.start_verifier,
    inject=_kill,
    steps=(Act("start verify follow as a service", Ground.start_verifier), 1),
    restore=Ground.stop_verifier,
    needs_prometheus=True,
)
