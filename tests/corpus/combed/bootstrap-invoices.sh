#!/bin/sh
set -eu

CONNECT="${CONNECT_URL:-http://kafka-connect:8083}"
NAME="${INVOICE_CONNECTOR:-invoice-outbox}"

INVOICE_DB_HOST="${INVOICE_DB_HOST:-postgres}"
INVOICE_DB_NAME="${INVOICE_DB_NAME:-invoices}"
INVOICE_DB_USER="${INVOICE_DB_USER:-invoices}"
INVOICE_DB_PASSWORD="${INVOICE_DB_PASSWORD:-invoices}"
INVOICE_TOPIC="${INVOICE_TOPIC:-invoice.events}"

n=0
until curl -fsS "${CONNECT}/connectors" >/dev/null 2>&1; do
  n=$((n + 1))
  [ "$n" -lt 90 ] || { echo "connect does not answer"; exit 1; }
  sleep 2
done

cat > /tmp/invoice-config.json <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "${INVOICE_DB_HOST}",
  "database.port": "5432",
  "database.user": "${INVOICE_DB_USER}",
  "database.password": "${INVOICE_DB_PASSWORD}",
  "database.dbname": "${INVOICE_DB_NAME}",
  "topic.prefix": "invoice-cdc",
  "publication.name": "invoice_outbox_publication",
  "publication.autocreate.mode": "filtered",
  "slot.name": "invoice_outbox_slot",
  "slot.drop.on.stop": "false",
  "table.include.list": "public.invoice_outbox",
  "heartbeat.interval.ms": "10000",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "${INVOICE_TOPIC}",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "event_name:header:event_name,event_version:header:event_version,aggregate_type:header:aggregate_type,occurred_at:header:occurred_at"
}
JSON

printf '{"name":"%s","config":%s}' "${NAME}" "$(cat /tmp/invoice-config.json)" > /tmp/invoice.json

if [ "$(curl -s -o /dev/null -w '%{http_code}' "${CONNECT}/connectors/${NAME}")" = "200" ]; then
  curl -fsS -X PUT "${CONNECT}/connectors/${NAME}/config" -H 'Content-Type: application/json' \
    --data-binary @/tmp/invoice-config.json
else
  curl -fsS -X POST "${CONNECT}/connectors" -H 'Content-Type: application/json' --data-binary @/tmp/invoice.json
fi
