import type { Knex } from "knex";

// Migration and connector live together so that a column is never renamed on one side only.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.withSchema("ledger").createTable("outbox", (t) => {
    t.uuid("id").primary();
    t.string("aggregate_type").notNullable();
    t.string("aggregate_id").notNullable();
    t.string("event_type").notNullable();
    t.jsonb("payload").notNullable();
    t.bigInteger("occurred_at").notNullable(); // epoch milliseconds
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.withSchema("ledger").dropTable("outbox");
}

export const connectorConfig = {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": 1,
  "database.hostname": "ledger-db",
  "database.port": 5432,
  "database.user": "debezium",
  "database.password": "${file:/run/secrets/ledger.properties:password}",
  "database.dbname": "ledger",
  "topic.prefix": "ledger",
  "plugin.name": "pgoutput",
  "slot.name": "ledger_outbox",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "ledger.outbox",
  transforms: "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.timestamp": "occurred_at",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
  "transforms.outbox.route.topic.replacement": "ledger.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
};

export async function register(connectUrl: string): Promise<void> {
  const res = await fetch(`${connectUrl}/connectors/ledger-outbox/config`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(connectorConfig),
  });
  if (!res.ok) throw new Error(`Connect answered ${res.status}: ${await res.text()}`);
}
