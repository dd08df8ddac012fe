#!/bin/sh
set -eu

connect_url="${CONNECT_URL:-http://localhost:28293}"
connector_name="${CONNECTOR_NAME:-depot-outbox}"
slot_name="${SLOT_NAME:-depot_outbox_slot}"
db_host="${DB_HOST:-postgres}"
db_port="${DB_PORT:-5432}"
db_name="${DB_NAME:-depot_planning}"
db_username="${DB_USERNAME:-depot_planning}"
db_password="${DB_PASSWORD:-depot_planning}"

echo "waiting for the REST interface of Kafka Connect (${connect_url})..."
until curl -fsS "${connect_url}/connectors" >/dev/null; do
  sleep 1
done

echo "creating or updating '${connector_name}'..."
curl -fsS -X PUT "${connect_url}/connectors/${connector_name}/config" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${db_host}",
  "database.port": "${db_port}",
  "database.user": "${db_username}",
  "database.password": "${db_password}",
  "database.dbname": "${db_name}",
  "plugin.name": "pgoutput",
  "topic.prefix": "depot",
  "table.include.list": "public.event_outbox",
  "slot.name": "${slot_name}",
  "publication.autocreate.mode": "filtered",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "route",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.field.event.key": "partition_key",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.table.fields.additional.placement": "type:header:eventType,headers:header:messageHeaders",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
JSON

n=1
while [ "${n}" -le 60 ]; do
  state="$(curl -fsS "${connect_url}/connectors/${connector_name}/status" 2>/dev/null || true)"
  if [ "$(printf '%s' "${state}" | tr ',' '\n' | grep -c '"state":"RUNNING"' || true)" -ge 2 ]; then
    echo "'${connector_name}' is running."
    exit 0
  fi
  n=$((n + 1))
  sleep 1
done
echo "'${connector_name}' did not come up in time." >&2
exit 1
