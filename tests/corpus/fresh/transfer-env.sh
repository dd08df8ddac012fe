#!/bin/bash
set -euo pipefail

ENV_FILE="$(dirname "$0")/.env"
if [ -f "$ENV_FILE" ]; then
  set -a
  source "$ENV_FILE"
  set +a
fi

: "${REFUND_DB_HOST:?REFUND_DB_HOST is required}"
: "${REFUND_DB_USER:?REFUND_DB_USER is required}"
: "${REFUND_DB_PASSWORD:?REFUND_DB_PASSWORD is required}"

REFUND_DB_PORT="${REFUND_DB_PORT:-5432}"
REFUND_DB_NAME="${REFUND_DB_NAME:-refunds}"

until curl -s http://localhost:8083/connectors > /dev/null; do
  sleep 2
done

curl -X PUT http://localhost:8083/connectors/refund-outbox/config -H "Content-Type: application/json" -d "{
    \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
    \"database.hostname\": \"${REFUND_DB_HOST}\",
    \"database.port\": \"${REFUND_DB_PORT}\",
    \"database.user\": \"${REFUND_DB_USER}\",
    \"database.password\": \"${REFUND_DB_PASSWORD}\",
    \"database.dbname\": \"${REFUND_DB_NAME}\",
    \"binary.handling.mode\": \"base64\",
    \"plugin.name\": \"pgoutput\",
    \"slot.name\": \"debezium_slot\",
    \"publication.name\": \"refund_publication\",
    \"table.include.list\": \"public.outbox_events\",
    \"topic.prefix\": \"no-refund-lost\",
    \"transforms\": \"outbox\",
    \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
    \"transforms.outbox.table.field.event.key\": \"aggregate_id\",
    \"transforms.outbox.table.field.event.type\": \"event_type\",
    \"transforms.outbox.table.field.event.payload\": \"payload\",
    \"transforms.outbox.route.by.field\": \"aggregate_type\",
    \"transforms.outbox.route.topic.replacement\": \"refunds.issued\",
    \"value.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
    \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\"
}"
