import { Pool } from "pg";

/** Starts PostgreSQL, Kafka and Connect in containers and wires the live pipeline. */
export class LivePipelineStack {
  connectUrl = "";
  databaseUrl = "";

  async createConnector(throughProxy = false): Promise<void> {
    const response = await fetch(
      `${this.connectUrl}/connectors/journal-live/config`,
      {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          "connector.class":
            "io.debezium.connector.postgresql.PostgresConnector",
          "tasks.max": "1",
          "database.hostname": throughProxy ? "toxiproxy" : "postgres",
          "database.port": throughProxy ? "8666" : "5432",
          "database.user": "journal_cdc",
          "database.password": "journal_cdc",
          "database.dbname": "journal",
          "topic.prefix": "journal-cdc",
          "plugin.name": "pgoutput",
          "publication.name": "journal_entries_pub",
          "publication.autocreate.mode": "disabled",
          "slot.name": "journal_live",
          "slot.drop.on.stop": "false",
          "slot.failover": "true",
          "schema.include.list": "journal",
          "table.include.list": "journal.entries",
          "snapshot.mode": "no_data",
          "poll.interval.ms": "5",
          "max.batch.size": "2048",
          "max.queue.size": "8192",
          "lsn.flush.mode": "connector",
          "offset.mismatch.strategy": "trust_offset",
          "exactly.once.support": "required",
          "transaction.boundary": "poll",
          "errors.tolerance": "none",
          predicates: "isJournal",
          "predicates.isJournal.type":
            "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.isJournal.pattern": "journal-cdc\\.journal\\.entries",
          transforms: "outbox",
          "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
          "transforms.outbox.predicate": "isJournal",
          "transforms.outbox.table.field.event.id": "entry_id",
          "transforms.outbox.table.field.event.key": "partition_key",
          "transforms.outbox.table.field.event.type": "entry_name",
          "transforms.outbox.table.field.event.payload": "entry_envelope",
          "transforms.outbox.route.by.field": "topic_route",
          "transforms.outbox.route.topic.regex": "(.*)",
          "transforms.outbox.route.topic.replacement": "$1.events.v1",
          "transforms.outbox.table.expand.json.payload": "false",
          "transforms.outbox.table.op.invalid.behavior": "fatal",
          "transforms.outbox.route.tombstone.on.empty.payload": "false",
          "transforms.outbox.table.fields.additional.placement":
            "entry_name:header:type,envelope_sha256:header:envelopeHash,namespace:header:namespace,aggregate_type:header:aggregateType,stream_revision:header:streamRevision",
        }),
      },
    );
    if (!response.ok)
      throw new Error(`connector was not created: ${await response.text()}`);
  }

  async pool(): Promise<Pool> {
    return new Pool({ connectionString: this.databaseUrl });
  }
}
