#!/usr/bin/env bash
set -euo pipefail

fail() { echo "ERROR: $*" >&2; exit 1; }

for ((i = 1; i <= CDC_WAIT_SECONDS; i++)); do
  if curl -fsS "${CDC_CONNECT_URL}/connectors" >/dev/null 2>&1; then
    echo "connect_ready_after=${i}s"
    break
  fi
  if (( i == CDC_WAIT_SECONDS )); then
    fail "Kafka Connect did not become ready"
  fi
  sleep 1
done

connector_config_file="$(mktemp)"
cat > "${connector_config_file}" <<JSON
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "${CDC_DB_HOST}",
  "database.port": "${CDC_DB_PORT}",
  "database.user": "${CDC_DB_USER}",
  "database.password": "${CDC_DB_PASSWORD}",
  "database.server.id": "${CDC_DB_SERVER_ID}",
  "topic.prefix": "${CDC_TOPIC_PREFIX}",
  "database.include.list": "${LOAD_DB_NAME}",
  "table.include.list": "${LOAD_DB_NAME}.outbox_events",
  "include.schema.changes": "false",
  "snapshot.mode": "schema_only",
  "skipped.operations": "u,d",
  "tombstones.on.delete": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
  "schema.history.internal.kafka.topic": "${CDC_SCHEMA_HISTORY_TOPIC}",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "event_type",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.field.event.timestamp": "created_at",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.table.fields.additional.placement": "schema_version:envelope:schemaVersion,aggregate_type:envelope:aggregateType,aggregate_id:envelope:aggregateId,event_type:envelope:eventType,topic:envelope:topic"
}
JSON

echo "### Register the connector"
curl -fsS \
  -X PUT \
  -H "Content-Type: application/json" \
  --data-binary "@${connector_config_file}" \
  "${CDC_CONNECT_URL}/connectors/${CDC_CONNECTOR_NAME}/config" >/dev/null
rm -f "${connector_config_file}"

echo "### Wait for RUNNING"
for ((i = 1; i <= CDC_WAIT_SECONDS; i++)); do
  status="$(curl -fsS "${CDC_CONNECT_URL}/connectors/${CDC_CONNECTOR_NAME}/status" 2>/dev/null || true)"
  running="$(echo "${status}" | grep -Eo '"state"[[:space:]]*:[[:space:]]*"RUNNING"' | wc -l | tr -d ' ')"
  [[ "${running}" -ge 2 ]] && exit 0
  sleep 1
done
fail "connector did not reach RUNNING"
