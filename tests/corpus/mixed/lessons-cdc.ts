export const cdcLesson = {
  title: "From the WAL to a topic",
  code: `# ── 1. Schema (init.sql) ──────────────────────────────────────────────
psql -U postgres -d rides <<'SQL'
CREATE TABLE rides (
  id          BIGSERIAL PRIMARY KEY,
  rider_id    VARCHAR(64) NOT NULL,
  fare_cents  BIGINT NOT NULL,
  status      VARCHAR(32) NOT NULL DEFAULT 'open'
);

-- written in the same transaction
CREATE TABLE outbox_events (
  id             UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  aggregate_type VARCHAR(64) NOT NULL,  -- e.g. 'ride'
  aggregate_id   VARCHAR(64) NOT NULL,
  event_type     VARCHAR(128) NOT NULL, -- e.g. 'ride.closed'
  payload        JSONB NOT NULL,
  created_at     TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

-- publish the outbox only
CREATE PUBLICATION rides_publication FOR TABLE outbox_events;

CREATE USER debezium WITH REPLICATION PASSWORD 'rides_cdc';
GRANT SELECT ON outbox_events TO debezium;
SQL

# ── 2. Register the connector ─────────────────────────────────────────
curl -s -X POST http://localhost:8083/connectors \\
  -H "Content-Type: application/json" \\
  -d '{
    "name": "rides-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "debezium",
      "database.password": "rides_cdc",
      "database.dbname": "rides",
      "database.server.name": "rides",

      "plugin.name": "pgoutput",
      "publication.name": "rides_publication",
      "slot.name": "rides_slot",

      "table.include.list": "public.outbox_events",
      "tombstones.on.delete": "false",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "aggregate_type",
      "transforms.outbox.route.topic.replacement": "outbox.$1",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false"
    }
  }' | jq .

# ── 3. Status ─────────────────────────────────────────────────────────
curl -s http://localhost:8083/connectors/rides-outbox-connector/status | jq .

# ── 4. Read the event ─────────────────────────────────────────────────
kafka-console-consumer.sh \\
  --bootstrap-server localhost:9092 \\
  --topic outbox.ride \\
  --from-beginning --max-messages 1`,
  notes: [
    "The EventRouter sends events to topics named outbox.{aggregate_type}.",
  ],
};
