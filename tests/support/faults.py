"""The faults that tests inject into a real system, and the rule of `doctor` that names each."""

from collections.abc import Callable
from dataclasses import replace

from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.observed import LackingPrivilege, ObservedRole
from outbox_kit.doctor.observation import SystemObservation, SystemPart
from outbox_kit.doctor.rule import findings
from outbox_kit.errors import ConnectRefused, EnvironmentProblem, KafkaRefused
from outbox_kit.explain.options import GENERATED, markdown
from tests.support import observations as observed

FAULTS = {
    "the password of the connector's role was changed": "DOC-CONNECTOR-04",
    "the role may not log in": "DOC-ROLES-01",
    "the role has lost REPLICATION": "DOC-ROLES-02",
    "privileges were revoked": "DOC-ROLES-04",
    "the database is read-only": "DOC-SERVER-01",
    "a transaction is open for long": "DOC-SERVER-07",
    "all replication slots are in use": "DOC-SERVER-05",
    "a column was dropped or has another type": "DOC-OUTBOX-02",
    "a CHECK was dropped": "DOC-OUTBOX-03",
    "the replica identity is full": "DOC-OUTBOX-05",
    "the sequence has a cache": "DOC-OUTBOX-06",
    "rows are never deleted": "DOC-OUTBOX-07",
    "autovacuum is off for the table": "DOC-OUTBOX-09",
    "the publication was dropped": "DOC-PUBLICATION-01",
    "the publication has lost the outbox table": "DOC-PUBLICATION-02",
    "the publication has a condition on rows": "DOC-PUBLICATION-03",
    "the publication also publishes updates": "DOC-PUBLICATION-04",
    "the slot was dropped": "DOC-SLOT-01",
    "max_slot_wal_keep_size was exceeded": "DOC-SLOT-02",
    "the connector was stopped, and its slot retains log": "DOC-SLOT-04",
    "another program reads the slot": "DOC-SLOT-05",
    "the slot is about to exceed max_slot_wal_keep_size": "DOC-SLOT-07",
    "another reader has moved the slot": "DOC-SLOT-10",
    "the binary log contains incomplete rows": "DOC-BINLOG-02",
    "the binary log is deleted early": "DOC-BINLOG-03",
    "an ACL of the worker was removed": "DOC-ACLS-01",
    "the worker has no such config provider": "DOC-SETTINGS-03",
    "the worker confirms messages before they have replicas": "DOC-SETTINGS-05",
    "the connector was deleted": "DOC-CONNECTOR-01",
    "events do not arrive, though the connector runs": "DOC-DELIVERY-01",
    "the connector was paused": "DOC-CONNECTOR-02",
    "the task has failed": "DOC-CONNECTOR-02",
    "the connector was edited by hand": "DOC-CONNECTOR-03",
    "the worker does not support exactly-once delivery": "DOC-CONNECTOR-04",
    "another connector has the same slot": "DOC-CONNECTOR-05",
    "a relay does not run": "DOC-RELAY-01",
    "an event is a dead letter": "DOC-RELAY-02",
    "a lane waits for an event": "DOC-RELAY-03",
    "a relay hangs in its initial snapshot": "DOC-RELAY-04",
    "a topic of events was deleted": "DOC-TOPICS-01",
    "partitions were added to a topic": "DOC-TOPICS-02",
    "a topic of events is compacted": "DOC-TOPICS-03",
    "a topic refuses large events": "DOC-TOPICS-04",
    "the certificate of a broker has expired": "DOC-ANSWERS-03",
    "the client certificate for Kafka Connect has expired": "DOC-ANSWERS-02",
}
"""By what has happened."""


def _unanswered(part: SystemPart, problem: EnvironmentProblem) -> SystemObservation:
    return replace(observed.HEALTHY, unanswered={part: [problem]})


SHOWN: dict[str, Callable[[], SystemObservation]] = {
    "the role may not log in": lambda: observed.with_database(role=ObservedRole(login=False)),
    "privileges were revoked": lambda: observed.with_database(
        lacking=[
            LackingPrivilege("shop_outbox", "SELECT on public.outbox", 'grant select on "public"."outbox" to ...;')
        ]
    ),
    "the database is read-only": lambda: observed.with_database(
        read_only="default_transaction_read_only is on",
        hints={"read_only": 'alter database "shop" reset default_transaction_read_only;'},
    ),
    "a column was dropped or has another type": lambda: observed.with_table(
        differences=["'type' is character varying(50) not null, not text not null"]
    ),
    "the replica identity is full": lambda: observed.with_table(replica_identity="f"),
    "the publication has a condition on rows": lambda: observed.with_publication(
        filters={"public.outbox": "(aggregateid <> '1')"}
    ),
    "the publication also publishes updates": lambda: observed.with_publication(
        operations=frozenset({"insert", "update"})
    ),
    "the connector was paused": lambda: observed.with_connect(status=ConnectorStatus("PAUSED", ("PAUSED",), ("w",))),
    "the worker does not support exactly-once delivery": lambda: observed.with_connect(
        complaints={
            "exactly.once.support": ["This worker does not have exactly-once source support enabled."],
        }
    ),
    "the connector was deleted": lambda: observed.with_connect(status=ConnectorStatus("UNKNOWN", (), ())),
    "the certificate of a broker has expired": lambda: _unanswered(
        SystemPart.kafka,
        KafkaRefused(
            "no TLS connection to Kafka",
            where="kafka:9093",
            why="the certificate of the broker has expired",
            fix="renew the certificate of the broker",
        ),
    ),
    "the client certificate for Kafka Connect has expired": lambda: _unanswered(
        SystemPart.connect,
        ConnectRefused(
            "no TLS connection to Kafka Connect",
            where="https://connect:8443",
            why="Kafka Connect did not accept the client certificate",
            fix="name a client certificate that is not expired, of an authority that the server trusts: "
            "OUTBOX_KIT_CONNECT_CERTIFICATE and OUTBOX_KIT_CONNECT_KEY",
        ),
    ),
}
"""What is observed of a fault, where a rule names several."""
INTRODUCTION = """Tests inject these faults into a real system, and [`outbox-kit doctor`](../doctor.md) names each of
them. The findings are those of an outbox `shop`."""


def page() -> str:
    """The faults as a page: what has happened, the finding, and its fix."""
    lines = [
        "# Faults and findings",
        "",
        GENERATED,
        "",
        INTRODUCTION,
        "",
        "| fault | finding | fix |",
        "| --- | --- | --- |",
    ]
    for fault, name in FAULTS.items():
        seen = SHOWN.get(fault, observed.CASES[name])()
        finding = next(finding for finding in findings(seen)[0] if finding.id == name)
        link = f"[{name}](rules.md#{name.lower()})"
        text = " ".join([finding.text, *(f"`{line}`" for line in finding.details)])
        lines.append(f"| {fault} | {link} {_cell(text)} | {_cell(finding.fix)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return markdown(text).replace("|", "\\|")
