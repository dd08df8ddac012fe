"""One record, looked at closely: what it is on the wire, and every finding about it."""

from typing import Any

from outbox_kit.errors import UnknownName
from outbox_kit.findings.finding import Collector, Finding
from outbox_kit.kafka import read as kafka
from outbox_kit.kafka.record import Record
from outbox_kit.printable import printable
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.record import shown, shown_name
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.tally import Tally


def record(cluster: kafka.Cluster, topic: str, partition: int, offset: int, deadline: float) -> Any:
    """The committed record at an offset. deadline: by time.monotonic(). Raises UnknownName where there is none."""
    reading = kafka.Reading([kafka.Range(topic, partition, offset, offset + 1)])
    for _, _, records in cluster.read(reading, deadline):
        return records[0]
    why = reading.progress[topic, partition].error or "it is gone, not there yet, or a transaction's own mark"
    raise UnknownName(f"no record at {topic}-{partition}@{offset}", where=cluster.bootstrap, why=why)


def findings(expected: Contract, topic: str, partition: int, record: Record, partitions: int) -> list[Finding]:
    """What is wrong with a record taken by itself. partitions: of its topic."""
    collector = Collector(8, CHECKS.get)
    examination = Examination(expected, Tally(collector), Memory(), {topic: partitions})
    examination.take(topic, partition, [record])
    return list(collector)


def text(record: Any, findings: list[Finding], *, in_full: bool) -> str:
    """For a terminal. in_full: the payload in full; otherwise only how long it is and how it begins."""
    value = record.value()
    payload = shown(value) if not in_full or value is None else value.decode(errors="replace")
    lines = [
        printable(f"{record.topic()}-{record.partition()}@{record.offset()}"),
        f"  timestamp  {record.timestamp()[1]}",
        f"  key        {shown(record.key())}",
        *(f"  header     {shown_name(name)} = {shown(content)}" for name, content in record.headers() or ()),
        f"  value      {payload}" + ("" if value is None else f"  ({len(value)} bytes)"),
    ]
    for finding in findings:
        sample = finding.samples[0]
        lines.append(f"{finding.severity.value} {finding.id} {finding.text}")
        lines += [
            printable(f"    expected {sample.expected}; found {sample.actual}"),
            f"    {finding.fix}",
        ]
    if not findings:
        lines.append("nothing is wrong with it by itself")
    return printable("\n".join(lines) + "\n", keep="\n\t")
