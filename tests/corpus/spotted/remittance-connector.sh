#!/bin/bash
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
if [ -f .env ]; then
  set -a; source .env; set +a
fi

: "${REMIT_DB_HOST:?is not set}"
: "${REMIT_DB_USER:?is not set}"
: "${REMIT_DB_PASSWORD:?is not set}"
REMIT_DB_PORT="${REMIT_DB_PORT:-5432}"
REMIT_DB_NAME="${REMIT_DB_NAME:-remit}"

until curl -s http://localhost:8083/connectors > /dev/null; do
  echo "no Connect yet"
  sleep 3
done

curl -X PUT http://localhost:8083/connectors/remit-messages/config -H "Content-Type: application/json" -d "{
    \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
    \"database.hostname\": \"${REMIT_DB_HOST}\",
    \"database.port\": \"${REMIT_DB_PORT}\",
    \"database.user\": \"${REMIT_DB_USER}\",
    \"database.password\": \"${REMIT_DB_PASSWORD}\",
    \"database.dbname\": \"${REMIT_DB_NAME}\",
    \"binary.handling.mode\": \"base64\",
    \"plugin.name\": \"pgoutput\",
    \"slot.name\": \"remit_slot\",
    \"publication.name\": \"remit_publication\",
    \"table.include.list\": \"public.remit_messages\",
    \"topic.prefix\": \"no-message-lost\",
    \"transforms\": \"remit\",
    \"transforms.remit.type\": \"io.debezium.transforms.outbox.EventRouter\",
    \"transforms.remit.table.field.event.key\": \"remittance_id\",
    \"transforms.remit.table.field.event.type\": \"message_kind\",
    \"transforms.remit.table.field.event.payload\": \"content\",
    \"transforms.remit.route.by.field\": \"subject\",
    \"transforms.remit.route.topic.replacement\": \"remittances.accepted\",
    \"value.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
    \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\"
}"
