"""One message: its parts as they are in the topic, and every finding about it."""

from typing import Any

from outbox_kit.errors import UnknownName
from outbox_kit.findings.finding import Collector, Finding
from outbox_kit.findings.formats.json import finding_document
from outbox_kit.kafka import read as kafka
from outbox_kit.kafka.record import Record
from outbox_kit.moments import moment
from outbox_kit.printable import printable
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.record import shown, shown_name
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.tally import Tally

HEADER_BYTES = 300
"""Of a key or a header that are shown: ids and traces are complete."""


def record(cluster: kafka.Cluster, topic: str, partition: int, offset: int, deadline: float) -> Any:
    """The committed record at an offset. deadline: by time.monotonic(). Raises UnknownName if there is none."""
    reading = kafka.Reading([kafka.Range(topic, partition, offset, offset + 1)])
    for _, _, records in cluster.read(reading, deadline):
        return records[0]
    why = (
        reading.progress[topic, partition].error
        or "possible causes: retention, compaction, a transaction marker, or an offset beyond the end"
    )
    raise UnknownName(f"no message at {topic}-{partition}@{offset}", where=cluster.bootstrap, why=why)


def findings(expected: Contract, topic: str, partition: int, record: Record, partitions: int) -> list[Finding]:
    """The violations of a single record. partitions: of its topic."""
    collector = Collector(8, CHECKS.get)
    examination = Examination(expected, Tally(collector), Memory(), {topic: partitions})
    examination.take(topic, partition, [record])
    return list(collector)


def document(record: Any, findings: list[Finding], *, in_full: bool) -> dict[str, Any]:
    """As JSON. in_full: with the payload."""
    value = record.value()
    return {
        "schema": "outbox-kit/message/v1",
        "topic": record.topic(),
        "partition": record.partition(),
        "offset": record.offset(),
        "timestamp": record.timestamp()[1],
        "key": _text(record.key()),
        "headers": [[name, _text(content)] for name, content in record.headers() or ()],
        "bytes": None if value is None else len(value),
        "value": _text(value) if in_full else None,
        "findings": [finding_document(finding) for finding in findings],
    }


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode(errors="replace")


def text(record: Any, findings: list[Finding], *, in_full: bool) -> str:
    """For a terminal. in_full: the payload in full; otherwise only how long it is and how it begins."""
    value = record.value()
    payload = shown(value) if not in_full or value is None else value.decode(errors="replace")
    lines = [
        printable(f"{record.topic()}-{record.partition()}@{record.offset()}"),
        f"  timestamp  {moment(record.timestamp()[1])}",
        f"  key        {shown(record.key(), HEADER_BYTES)}",
        *(
            f"  header     {shown_name(name)} = {shown(content, HEADER_BYTES)}"
            for name, content in record.headers() or ()
        ),
        f"  value      {payload}" + ("" if value is None else f"  ({len(value)} bytes)"),
    ]
    for finding in findings:
        sample = finding.samples[0]
        lines.append(f"{finding.severity.value} {finding.id} {finding.text}")
        lines += [
            printable(f"    {sample.facts}"),
            *(f"    {label}  {text}" for label, text in (("why", finding.rule.why), ("fix", finding.fix)) if text),
        ]
    if not findings:
        lines.append("no findings about this message alone")
    return printable("\n".join(lines) + "\n", keep="\n\t")
