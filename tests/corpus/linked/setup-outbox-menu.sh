#!/usr/bin/env bash
set -e
cd "$(dirname "$0")/.."

echo "== schema"
docker compose exec -T menu-db psql -U menu -d menu <<'SQL'
CREATE TABLE IF NOT EXISTS outbox_event (
    event_id       UUID PRIMARY KEY,
    aggregate_type VARCHAR(60)  NOT NULL,
    aggregate_id   VARCHAR(60)  NOT NULL,
    event_type     VARCHAR(120) NOT NULL,
    body           JSONB        NOT NULL,
    created_at     TIMESTAMPTZ  NOT NULL DEFAULT now()
);
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_publication WHERE pubname = 'menu_pub') THEN
    CREATE PUBLICATION menu_pub FOR TABLE outbox_event;
  END IF;
END $$;
SQL

echo "== topics"
for t in menu.events.dish menu.events.price; do
  docker compose exec -T kafka /opt/kafka/bin/kafka-topics.sh --bootstrap-server kafka:9092 \
    --create --if-not-exists --topic "$t" --partitions 3 --replication-factor 1
done

echo "== connector"
curl -sS -X DELETE http://localhost:8083/connectors/menu-outbox || true
curl -sS -X POST http://localhost:8083/connectors -H "Content-Type: application/json" -d '{
  "name": "menu-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "menu-db",
    "database.port": "5432",
    "database.user": "menu",
    "database.password": "secret",
    "database.dbname": "menu",
    "topic.prefix": "menu",
    "plugin.name": "pgoutput",
    "slot.name": "menu_outbox",
    "publication.name": "menu_pub",
    "table.include.list": "public.outbox_event",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "body",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.topic.replacement": "menu.events.${routedByValue}"
  }
}'
