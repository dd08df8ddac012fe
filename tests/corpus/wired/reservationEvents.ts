// The reservation service: connector of its outbox (used by scripts/register.ts) and the reader in the billing worker.
import { Kafka } from "kafkajs";
import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";

export const AGGREGATE = "Reservation";

export async function emit(tx: PoolClient, id: string, type: string, body: unknown): Promise<void> {
  await tx.query(
    "INSERT INTO public.outbox (id, aggregatetype, aggregateid, type, payload) VALUES ($1, $2, $3, $4, $5)",
    [randomUUID(), AGGREGATE, id, type, JSON.stringify(body)],
  );
}

export const connector = {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "reservations-db",
  "database.port": "5432",
  "database.user": "debezium",
  "database.password": "dbz",
  "database.dbname": "reservations",
  "topic.prefix": "reservations",
  "table.include.list": "public.outbox",
  "publication.autocreate.mode": "filtered",
  "slot.name": "reservations_outbox",
  "tombstones.on.delete": "false",
  // payload is jsonb, which Debezium hands on as text; written as it is, it is the JSON document
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  transforms: "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.fields.additional.placement": "type:header:kind",
} as const;

export async function bill(onConfirmed: (body: { guest: string; nights: number }) => Promise<void>): Promise<void> {
  const consumer = new Kafka({ brokers: ["kafka:9092"] }).consumer({ groupId: "billing" });
  await consumer.connect();
  await consumer.subscribe({ topic: `outbox.event.${AGGREGATE}`, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      if (message.headers?.kind?.toString() !== "ReservationConfirmed") return;
      await onConfirmed(JSON.parse(message.value!.toString()));
    },
  });
}
