#!/usr/bin/env bash
# ── 1. publication and role ──────────────────────────────────────────
psql -U postgres -d clinicdb <<'SQL'
CREATE PUBLICATION dbz_publication FOR TABLE outbox_events;
CREATE ROLE debezium LOGIN REPLICATION PASSWORD 'debezium';
GRANT SELECT ON outbox_events TO debezium;
SQL

# ── 2. register the connector ────────────────────────────────────────
curl -s -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "clinic-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "debezium",
      "database.password": "debezium",
      "database.dbname": "clinicdb",
      "database.server.name": "clinicdb",

      "plugin.name": "pgoutput",
      "publication.name": "dbz_publication",
      "slot.name": "debezium_slot",

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

# ── 3. how is it doing ───────────────────────────────────────────────
curl -s http://localhost:8083/connectors/clinic-outbox/status | jq .

# ── 4. write a visit and its event ───────────────────────────────────
psql -U postgres -d clinicdb <<'SQL'
BEGIN;
  INSERT INTO visits (patient_id, status) VALUES ('p-42', 'planned');
  INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload)
  VALUES ('visit', '1', 'visit.planned', '{"visit_id": 1}'::jsonb);
COMMIT;
SQL
