import { fileURLToPath } from "node:url";

export interface RebuildIdentity {
  viewName: string;
  rebuildId: string;
}

/** Deploys a temporary connector that reads the whole journal once more. */
export class RebuildConnector {
  constructor(private readonly connectUrl: string) {}

  async deploy(identity: RebuildIdentity, config: Record<string, string>): Promise<void> {
    const response = await fetch(`${this.connectUrl}/connectors/journal-rebuild-${identity.rebuildId}/config`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(config),
    });
    if (!response.ok) throw new Error(`rebuild connector refused: ${await response.text()}`);
  }
}

export function rebuildConnectorConfig(
  rebuildId: string,
  db: { hostname: string; port: number; user: string; password: string; dbname: string },
): Record<string, string> {
  if (!/^[a-z0-9-]{1,36}$/.test(rebuildId)) throw new Error("rebuildId must be lowercase alphanumeric/hyphen");
  return {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": db.hostname,
    "database.port": String(db.port),
    "database.user": db.user,
    "database.password": db.password,
    "database.dbname": db.dbname,
    "topic.prefix": `journal-rebuild-${rebuildId}`,
    "plugin.name": "pgoutput",
    "publication.name": "journal_entries",
    "publication.autocreate.mode": "disabled",
    "slot.name": `journal_rebuild_${rebuildId.replaceAll("-", "_")}`,
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
    "transforms.outbox.table.field.event.key": "stream_key",
    "transforms.outbox.table.field.event.type": "entry_name",
    "transforms.outbox.table.field.event.payload": "entry_envelope",
    "transforms.outbox.route.by.field": "destination",
    "transforms.outbox.route.topic.replacement": `journal.rebuild.${rebuildId}.v1`,
    "transforms.outbox.table.expand.json.payload": "false",
    "transforms.outbox.table.op.invalid.behavior": "fatal",
    "transforms.outbox.table.fields.additional.placement":
      "entry_name:header:type,envelope_sha256:header:envelopeHash,realm:header:realm,stream_revision:header:streamRevision",
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rebuildId = process.env.REBUILD_ID;
  const raw = process.env.REBUILD_DATABASE_JSON;
  if (rebuildId === undefined || raw === undefined) throw new Error("REBUILD_ID and REBUILD_DATABASE_JSON are required");
  console.log(JSON.stringify({ name: `journal-rebuild-${rebuildId}`, config: rebuildConnectorConfig(rebuildId, JSON.parse(raw)) }, null, 2));
}
