"""The exporter was killed: faults of the outbox would cause no alert."""

from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal

DRILL = Drill(
    fault="the exporter was killed, and nothing is scraped",
    chapter="figures-missing",
    signal=FaultSignal(Detector.alert, "OutboxExporterAbsent"),
    inject=lambda place: place.exporter().kill(),
    steps=(Act("start the exporter as a service", lambda place: place.exporter().start()), 1),
    needs_prometheus=True,
)
