"""One record, looked at closely: what it is on the wire, and every finding about it."""

from typing import Any

from outbox_kit.errors import UnknownName
from outbox_kit.finding import Finding, Findings
from outbox_kit.kafka import read as kafka
from outbox_kit.printable import printable
from outbox_kit.verify.catalogue import CHECKS, severities
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.engine.memory import Memory
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.explain import named, shown
from outbox_kit.verify.tally import Tally


def record(cluster: kafka.Cluster, topic: str, partition: int, offset: int, deadline: float) -> Any:
    """The committed record at an offset. deadline: by time.monotonic(). Raises UnknownName where there is none."""
    reading = kafka.Reading([kafka.Range(topic, partition, offset, offset + 1)])
    for _, _, records in cluster.read(reading, deadline):
        return records[0]
    why = reading.progress[topic, partition].error or "it is gone, not there yet, or a transaction's own mark"
    raise UnknownName(f"no record at {topic}-{partition}@{offset}", where=cluster.bootstrap, why=why)


def findings(own: Contract, topic: str, partition: int, record: Any, partitions: int) -> list[Finding]:
    """What is wrong with a record taken by itself. partitions: of its topic."""
    found = Findings(severities(exactly_once=False), 8)
    examination = Examination(own, Tally(found), Memory(), {topic: partitions})
    examination.take(topic, partition, [record])
    return list(found)


def text(record: Any, findings: list[Finding], *, whole: bool) -> str:
    """For a terminal. whole: the payload in full; otherwise only how long it is and how it begins."""
    value = record.value()
    payload = shown(value) if not whole or value is None else value.decode(errors="replace")
    lines = [
        printable(f"{record.topic()}-{record.partition()}@{record.offset()}"),
        f"  timestamp  {record.timestamp()[1]}",
        f"  key        {shown(record.key())}",
        *(f"  header     {named(name)} = {shown(content)}" for name, content in record.headers() or ()),
        f"  value      {payload}" + ("" if value is None else f"  ({len(value)} bytes)"),
    ]
    for finding in findings:
        sample = finding.samples[0]
        lines.append(f"{finding.severity.value} {finding.check} {CHECKS[finding.check].title}")
        lines += [
            printable(f"    expected {sample.expected}; found {sample.actual}"),
            f"    {CHECKS[finding.check].hint}",
        ]
    if not findings:
        lines.append("nothing is wrong with it by itself")
    return printable("\n".join(lines) + "\n", keep="\n\t")
