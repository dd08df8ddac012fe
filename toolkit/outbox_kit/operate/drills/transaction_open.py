"""An application has forgotten a transaction, which keeps dead rows of the whole database."""

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.model import Detector, Drill, FaultSignal

DRILL = Drill(
    fault="an application has forgotten to end its transaction",
    chapter="horizon-held",
    signal=FaultSignal(Detector.alert, "OutboxHorizonHeld"),
    inject=Ground.forget_transaction,
    steps=(1, 2, 3),
)
