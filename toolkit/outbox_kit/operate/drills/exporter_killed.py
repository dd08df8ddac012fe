"""The exporter was killed: faults of the outbox would cause no alert."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

DRILL = Drill(
    fault="the exporter was killed, and nothing is scraped",
    chapter="figures-missing",
    signal=FaultSignal(Detector.alert, "OutboxExporterAbsent"),
    inject=Ground.kill_exporter,
    steps=(Act("start the exporter as a service", Ground.start_exporter), 1),
    needs_prometheus=True,
)
