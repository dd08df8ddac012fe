import { fileURLToPath } from "node:url";

export function replayTopic(replayId: string): string {
  return `journal-replay.${replayId}`;
}

// One throw-away connector per replay: it snapshots the journal in order and goes on streaming.
export function replayConnector(
  replayId: string,
  db: { hostname: string; port: number; user: string; password: string; dbname: string },
): Record<string, string> {
  if (!/^[a-z0-9-]{1,63}$/.test(replayId))
    throw new Error("replayId: lower case letters, digits and hyphens only");
  return {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": db.hostname,
    "database.port": String(db.port),
    "database.user": db.user,
    "database.password": db.password,
    "database.dbname": db.dbname,
    "topic.prefix": `journal-replay-${replayId}`,
    "plugin.name": "pgoutput",
    "publication.name": "journal_entries",
    "publication.autocreate.mode": "disabled",
    "slot.name": `journal_replay_${replayId.replaceAll("-", "_")}`,
    "slot.drop.on.stop": "false",
    "schema.include.list": "journal",
    "table.include.list": "journal.entries",
    "snapshot.mode": "initial",
    "snapshot.select.statement.overrides": "journal.entries",
    "snapshot.select.statement.overrides.journal.entries":
      "SELECT * FROM journal.entries ORDER BY entry_number",
    transforms: "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "entry_id",
    "transforms.outbox.table.field.event.key": "partition_key",
    "transforms.outbox.table.field.event.type": "entry_name",
    "transforms.outbox.table.field.event.payload": "entry_envelope",
    "transforms.outbox.route.by.field": "topic_route",
    "transforms.outbox.route.topic.replacement": replayTopic(replayId),
    "transforms.outbox.table.expand.json.payload": "false",
    "transforms.outbox.table.op.invalid.behavior": "fatal",
    "transforms.outbox.table.fields.additional.placement":
      "entry_id:header:id,entry_name:header:type,envelope_sha256:header:envelopeHash,namespace:header:namespace,aggregate_type:header:aggregateType,stream_revision:header:streamRevision",
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const replayId = process.env.REPLAY_ID;
  const raw = process.env.REPLAY_DATABASE_JSON;
  const connectUrl = process.env.CONNECT_URL;
  if (replayId === undefined || raw === undefined || connectUrl === undefined)
    throw new Error("REPLAY_ID, REPLAY_DATABASE_JSON and CONNECT_URL are required");
  await fetch(`${connectUrl}/connectors/journal-replay-${replayId}/config`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(replayConnector(replayId, JSON.parse(raw))),
  });
}
