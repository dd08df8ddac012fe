// Container stack for the CDC acceptance tests of the ledger store.
export class CdcStack {
  constructor(private readonly connectUrl: string) {}

  async createLiveConnector(viaProxy: boolean): Promise<void> {
    const response = await fetch(
      `${this.connectUrl}/connectors/ledger-store-live/config`,
      {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          "connector.class":
            "io.debezium.connector.postgresql.PostgresConnector",
          "tasks.max": "1",
          "database.hostname": viaProxy ? "toxiproxy" : "postgres",
          "database.port": viaProxy ? "8666" : "5432",
          "database.user": "ledger_cdc",
          "database.password": "tail",
          "database.dbname": "ledger",
          "topic.prefix": "ledger-cdc",
          "plugin.name": "pgoutput",
          "publication.name": "ledger_facts",
          "publication.autocreate.mode": "disabled",
          "slot.name": "ledger_live",
          "slot.drop.on.stop": "false",
          "slot.failover": "true",
          "schema.include.list": "ledger",
          "table.include.list": "ledger.facts",
          "snapshot.mode": "no_data",
          "poll.interval.ms": "5",
          "max.batch.size": "2048",
          "max.queue.size": "8192",
          "lsn.flush.mode": "connector",
          "offset.mismatch.strategy": "trust_offset",
          "exactly.once.support": "required",
          "transaction.boundary": "poll",
          "errors.tolerance": "none",
          predicates: "isFact",
          "predicates.isFact.type":
            "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.isFact.pattern": "ledger-cdc\\.ledger\\.facts",
          transforms: "outbox",
          "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
          "transforms.outbox.predicate": "isFact",
          "transforms.outbox.table.field.event.id": "fact_id",
          "transforms.outbox.table.field.event.key": "partition_key",
          "transforms.outbox.table.field.event.type": "fact_name",
          "transforms.outbox.table.field.event.payload": "fact_envelope",
          "transforms.outbox.route.by.field": "topic_route",
          "transforms.outbox.route.topic.regex": "(.*)",
          "transforms.outbox.route.topic.replacement": "$1.facts.v1",
          "transforms.outbox.table.expand.json.payload": "false",
          "transforms.outbox.table.op.invalid.behavior": "fatal",
          "transforms.outbox.route.tombstone.on.empty.payload": "false",
          "transforms.outbox.table.fields.additional.placement":
            "fact_id:header:id,fact_name:header:type,envelope_sha256:header:envelopeHash,namespace:header:namespace,stream_revision:header:streamRevision",
        }),
      },
    );
    if (!response.ok)
      throw new Error(`creating the connector failed: ${await response.text()}`);
  }

  async createRecoveryConnector(
    recoveryId: string,
    slotName: string,
    databaseHostname = "postgres",
  ): Promise<string> {
    if (!/^[a-z0-9-]{1,63}$/.test(recoveryId))
      throw new Error("recoveryId must be lower case letters, digits and hyphens");
    const name = `ledger-recovery-${recoveryId}`;
    const response = await fetch(`${this.connectUrl}/connectors/${name}/config`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": databaseHostname,
        "database.port": "5432",
        "database.user": "ledger_cdc",
        "database.password": "tail",
        "database.dbname": "ledger",
        "topic.prefix": name,
        "plugin.name": "pgoutput",
        "publication.name": "ledger_facts",
        "publication.autocreate.mode": "disabled",
        "slot.name": slotName,
        "slot.drop.on.stop": "false",
        "slot.failover": "true",
        "table.include.list": "ledger.facts",
        "snapshot.mode": "initial",
        "lsn.flush.mode": "connector",
        "offset.mismatch.strategy": "trust_offset",
        "exactly.once.support": "required",
        "errors.tolerance": "none",
        predicates: "isFact",
        "predicates.isFact.type":
          "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.isFact.pattern": `${name}\\.ledger\\.facts`,
        transforms: "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.predicate": "isFact",
        "transforms.outbox.table.field.event.id": "fact_id",
        "transforms.outbox.table.field.event.key": "partition_key",
        "transforms.outbox.table.field.event.payload": "fact_envelope",
        "transforms.outbox.route.by.field": "topic_route",
        "transforms.outbox.route.topic.regex": "(.*)",
        "transforms.outbox.route.topic.replacement": "$1.facts.v1",
        "transforms.outbox.table.op.invalid.behavior": "fatal",
      }),
    });
    if (!response.ok)
      throw new Error(`creating ${name} failed: ${await response.text()}`);
    return name;
  }
}
