#!/usr/bin/env bash
set -euo pipefail

if [ -f ".env" ]; then
  set -a
  # shellcheck disable=SC1091
  source ".env"
  set +a
fi

CONNECT_URL="${CDC_CONNECT_URL:-http://localhost:${CDC_CONNECT_PORT:-8083}}"
CONNECTOR_NAME="${CDC_OUTBOX_CONNECTOR_NAME:-concierge-outbox-connector}"
PG_HOST="${CDC_POSTGRES_HOST:-postgres}"
PG_PORT_INTERNAL="${CDC_POSTGRES_PORT:-5432}"
PG_DB_NAME="${POSTGRES_DB:-concierge_test}"
PG_USER_NAME="${POSTGRES_USER:-concierge}"
PG_PASSWORD_VALUE="${POSTGRES_PASSWORD:-concierge}"
REGISTRY_URL_INTERNAL="${CDC_SCHEMA_REGISTRY_URL:-http://kafka:8081}"

echo "Registering '${CONNECTOR_NAME}' at ${CONNECT_URL}"

curl -fsS -X PUT "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/config" \
  -H "Content-Type: application/json" \
  --data-binary @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "io.confluent.connect.avro.AvroConverter",
  "value.converter.schema.registry.url": "${REGISTRY_URL_INTERNAL}",
  "value.converter.auto.register.schemas": "true",
  "plugin.name": "pgoutput",
  "database.hostname": "${PG_HOST}",
  "database.port": "${PG_PORT_INTERNAL}",
  "database.user": "${PG_USER_NAME}",
  "database.password": "${PG_PASSWORD_VALUE}",
  "database.dbname": "${PG_DB_NAME}",
  "topic.prefix": "concierge.postgres",
  "slot.name": "concierge_outbox_slot",
  "publication.name": "concierge_outbox_publication",
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

echo
echo "Status:"
curl -fsS "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/status"
echo
