// Creates the outbox table and registers the relay; run by the e2e environment.
import { Client } from "pg";

const ddl = `
  create table if not exists quarry.outbox (
    id uuid primary key,
    aggregatetype text not null,
    aggregateid text not null,
    seq integer not null,
    payload jsonb not null,
    happened_at timestamp(6) not null default (now() at time zone 'utc')
  )`;

export async function up(pg: Client, connectUrl: string): Promise<void> {
  await pg.query(ddl);
  const config: Record<string, string> = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": process.env.PGHOST!,
    "database.port": "5432",
    "database.user": process.env.PGUSER!,
    "database.password": process.env.PGPASSWORD!,
    "database.dbname": "quarry",
    "topic.prefix": "quarry",
    "plugin.name": "pgoutput",
    "slot.name": "quarry_relay",
    "publication.name": "quarry_relay",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "quarry.outbox",
    "time.precision.mode": "adaptive_time_microseconds",
    transforms: "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.timestamp": "happened_at",
    "transforms.outbox.table.fields.additional.placement": "seq:header:sequence",
    "transforms.outbox.route.topic.replacement": "quarry." + "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  };
  const res = await fetch(`${connectUrl}/connectors/quarry-relay/config`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(config),
  });
  if (!res.ok) throw new Error(`connect answered ${res.status}: ${await res.text()}`);
}
