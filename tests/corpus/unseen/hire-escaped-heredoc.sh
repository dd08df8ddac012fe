#!/usr/bin/env bash
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
CONNECTOR_NAME="${CONNECTOR_NAME:-rental-outbox}"
DB_HOST="${DB_HOST:-rental-db}"
DB_NAME="${DB_NAME:-rental}"
OUTBOX_TABLE="${OUTBOX_TABLE:-public.outbox_events}"
SLOT_NAME="${SLOT_NAME:-rental_outbox_slot}"
PUBLICATION_NAME="${PUBLICATION_NAME:-rental_outbox_pub}"
: "${DEBEZIUM_USER:?}" "${DEBEZIUM_PASSWORD:?}"

CONNECTOR_CONFIG=$(cat <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "database.hostname": "${DB_HOST}",
  "database.port": "5432",
  "database.user": "${DEBEZIUM_USER}",
  "database.password": "${DEBEZIUM_PASSWORD}",
  "database.dbname": "${DB_NAME}",
  "topic.prefix": "rental",
  "slot.name": "${SLOT_NAME}",
  "publication.name": "${PUBLICATION_NAME}",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "${OUTBOX_TABLE}",
  "snapshot.mode": "never",
  "tombstones.on.delete": "false",
  "decimal.handling.mode": "string",
  "heartbeat.interval.ms": "10000",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "event_type",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "rental.outbox.\${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
JSON
)

curl -fsS -X PUT "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/config" \
  -H "Content-Type: application/json" \
  -d "${CONNECTOR_CONFIG}"
