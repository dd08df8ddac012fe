"""The outbox table: rows that are proven published, and older than `table.keep_days`."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.operate.cleanup.kind import CleanupKind, EvidenceSources, KeepTimes, RemovalJob, Way
from outbox_kit.render.cleanup import OldRows, RowProof
from outbox_kit.render.marked import is_published
from outbox_kit.schema.model import Outbox

ANSWERS = {
    "forever": "rows are never deleted (table.retention: forever)",
    "delete_on_insert": "the transaction that inserts a row deletes it (table.retention: delete_on_insert)",
    "external": "the owner of the existing table deletes its rows (table.retention: external)",
}


def _obstacle(outbox: Outbox) -> str:
    delivery, table = outbox.delivery, outbox.table
    if table.storage == "log":
        return "a log-only outbox has no rows (table.storage: log)"
    if table.retention in ANSWERS:
        return ANSWERS[table.retention]
    if delivery.polls and delivery.record == "delete":
        return "the relay deletes the rows that it has published (delivery.record: delete)"
    if outbox.dialect.documents:
        return f"a TTL index of {outbox.dialect.title} deletes the documents, which gen-ddl creates"
    return ""


def _rows(outbox: Outbox, evidence: RowEvidence, times: KeepTimes) -> OldRows:
    names, table = outbox.names, outbox.table
    return OldRows(
        table=(names.schema, table.name),
        created=table.columns.created_at or "",
        keep_hours=max(table.kept_hours, times.older_than or 0, times.repair),
        proof=evidence.proof,
        slot=names.slot,
        lanes=(names.schema, names.lane_table),
        transaction=names.transaction_column,
        published=is_published(outbox),
        event_id=table.columns.id,
        failures=(names.schema, names.failure_table),
    )


def _way(outbox: Outbox) -> Way:
    return Way.drop if outbox.table.retention == "partition" else Way.delete


def _evidence(_outbox: Outbox, sources: EvidenceSources, _times: KeepTimes) -> RowEvidence:
    return sources.delivery.evidence(by_age=sources.by_age)


def _proof_of_job(outbox: Outbox) -> RowProof:
    if not outbox.delivery.polls:
        return RowProof.slot if outbox.dialect.capture.uses_slot else RowProof.age
    return RowProof.lanes if outbox.delivery.record == "position" else RowProof.mark


JOB = RemovalJob(
    "It deletes rows by their age alone, as was allowed: the database does not have the position of the connector. A "
    "connector that stops for longer than rows are kept loses the rows of a repair.",
    _proof_of_job,
    "which rows are published",
    "the position of the connector is in Kafka Connect",
)
KIND = CleanupKind("outbox", _rows, lambda outbox: outbox.column_names, _way, _obstacle, _evidence, job=JOB)
