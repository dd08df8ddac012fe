import type { StartedTestContainer } from "testcontainers";

/** Starts the CDC side of the journal's end-to-end tests. */
export class JournalCdcHarness {
  constructor(
    private readonly connectUrl: string,
    private readonly proxy?: StartedTestContainer,
  ) {}

  async createLive(): Promise<void> {
    const response = await fetch(`${this.connectUrl}/connectors/journal-live/config`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": this.proxy ? "proxy" : "pg",
        "database.port": this.proxy ? "8666" : "5432",
        "database.user": "journal_cdc",
        "database.password": "cdc",
        "database.dbname": "journal",
        "topic.prefix": "journal-cdc",
        "plugin.name": "pgoutput",
        "publication.name": "journal_entries",
        "publication.autocreate.mode": "disabled",
        "slot.name": "journal_live",
        "slot.drop.on.stop": "false",
        "slot.failover": "true",
        "schema.include.list": "journal",
        "table.include.list": "journal.entries",
        "snapshot.mode": "no_data",
        "poll.interval.ms": "5",
        "lsn.flush.mode": "connector",
        "offset.mismatch.strategy": "trust_offset",
        "exactly.once.support": "required",
        "transaction.boundary": "poll",
        "errors.tolerance": "none",
        predicates: "isEntry",
        "predicates.isEntry.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.isEntry.pattern": "journal-cdc\\.journal\\.entries",
        transforms: "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.predicate": "isEntry",
        "transforms.outbox.table.field.event.id": "entry_id",
        "transforms.outbox.table.field.event.key": "shard_key",
        "transforms.outbox.table.field.event.payload": "entry",
        "transforms.outbox.route.by.field": "stream",
        "transforms.outbox.route.topic.regex": "(.*)",
        "transforms.outbox.route.topic.replacement": "$1.entries.v1",
        "transforms.outbox.table.expand.json.payload": "false",
        "transforms.outbox.table.op.invalid.behavior": "fatal",
        "transforms.outbox.table.fields.additional.placement":
          "entry_kind:header:kind,entry_digest:header:digest,revision:header:revision",
      }),
    });
    if (!response.ok) throw new Error(`not created: ${await response.text()}`);
  }

  async createReplay(id: string, slot: string): Promise<string> {
    if (!/^[a-z0-9-]{1,40}$/.test(id)) throw new Error("bad replay id");
    const name = `journal-replay-${id}`;
    const response = await fetch(`${this.connectUrl}/connectors/${name}/config`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "pg",
        "database.user": "journal_cdc",
        "database.password": "cdc",
        "database.dbname": "journal",
        "topic.prefix": name,
        "plugin.name": "pgoutput",
        "publication.name": "journal_entries",
        "publication.autocreate.mode": "disabled",
        "slot.name": slot,
        "table.include.list": "journal.entries",
        "snapshot.mode": "initial",
        predicates: "isEntry",
        "predicates.isEntry.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.isEntry.pattern": `${name}\\.journal\\.entries`,
        transforms: "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.predicate": "isEntry",
        "transforms.outbox.table.field.event.id": "entry_id",
        "transforms.outbox.table.field.event.key": "shard_key",
        "transforms.outbox.table.field.event.payload": "entry",
        "transforms.outbox.route.by.field": "stream",
        "transforms.outbox.route.topic.regex": "(.*)",
        "transforms.outbox.route.topic.replacement": "$1.entries.v1",
      }),
    });
    if (!response.ok) throw new Error(`not created: ${await response.text()}`);
    return name;
  }
}
