"""Records of one partition, as the verifier's second pass judges them."""

from collections.abc import Sequence

from outbox_kit.findings.finding import Collector
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.reading.replay import Replay
from tests.support.records import TOPIC, Record, examined, outbox_of

HERE = 0


def judged(records: Sequence[Record], *, cut: bool = False) -> tuple[dict[str, int], Replay, Collector]:
    """Records of one partition through the pass, and its doubts settled."""
    examination = examined(outbox_of(), *records, partition=HERE)
    findings = Collector(32, CHECKS.get)
    replay = Replay(examination.contract, findings, {(TOPIC, HERE)} if cut else ())
    for doubts in examination.engine.suspects(gaps=True, split=True):
        replay.begin(doubts)
        replay.take(TOPIC, HERE, records)
    replay.finish()
    return {finding.id: finding.count for finding in findings}, replay, findings


def log(*events: Record) -> list[Record]:
    """Events as they lie in a log, one after the other."""
    return [Record(at, e.number, e.text, e.named, e.event_id) for at, e in enumerate(events)]


EVENTS = [Record(number=n) for n in range(1, 41)]
