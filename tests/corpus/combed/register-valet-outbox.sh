#!/usr/bin/env bash
set -euo pipefail

if [ -f ".env" ]; then
  set -a
  . ./.env
  set +a
fi

CONNECT="${CDC_CONNECT_URL:-http://localhost:${CDC_CONNECT_PORT:-8083}}"
NAME="${CDC_CONNECTOR:-valet-outbox}"
PG_HOST="${CDC_PG_HOST:-postgres}"
PG_PORT="${CDC_PG_PORT:-5432}"
PG_DB="${POSTGRES_DB:-valet}"
PG_USER="${POSTGRES_USER:-valet}"
PG_PASSWORD="${POSTGRES_PASSWORD:-valet}"
REGISTRY="${CDC_REGISTRY_URL:-http://redpanda:8081}"

curl -fsS -X PUT "${CONNECT}/connectors/${NAME}/config" \
  -H "Content-Type: application/json" \
  --data-binary @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "io.confluent.connect.avro.AvroConverter",
  "value.converter.schema.registry.url": "${REGISTRY}",
  "value.converter.auto.register.schemas": "true",
  "plugin.name": "pgoutput",
  "database.hostname": "${PG_HOST}",
  "database.port": "${PG_PORT}",
  "database.user": "${PG_USER}",
  "database.password": "${PG_PASSWORD}",
  "database.dbname": "${PG_DB}",
  "topic.prefix": "valet.postgres",
  "slot.name": "valet_outbox_slot",
  "publication.name": "valet_outbox_publication",
  "table.include.list": "public.outbox_events",
  "tombstones.on.delete": "false",
  "snapshot.mode": "initial",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "aggregatetype",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregateid",
  "transforms.outbox.table.field.event.type": "type",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.expand.json.payload": "true"
}
JSON

curl -fsS "${CONNECT}/connectors/${NAME}/status"
