#!/usr/bin/env bash
set -euo pipefail

register_outbox() {
  local connector="$1" schema="$2" server_id="$3"

  jq -n \
    --arg connector "${connector}" \
    --arg schema "${schema}" \
    --arg topic_prefix "takeaway-${schema}" \
    --arg server_id "${server_id}" \
    '{
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "root",
      "database.server.id": $server_id,
      "topic.prefix": $topic_prefix,
      "database.include.list": $schema,
      "table.include.list": ($schema + ".outbox"),
      "include.schema.changes": "false",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
      "schema.history.internal.kafka.topic": ("ddl-history." + $connector),
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "destination",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.expand.json.payload": "true",
      "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType"
    }' | curl --silent --show-error --fail-with-body \
      --request PUT \
      --header 'Content-Type: application/json' \
      --data-binary @- \
      "http://localhost:18083/connectors/${connector}/config" >/dev/null

  for _ in $(seq 1 60); do
    state="$(curl --silent "http://localhost:18083/connectors/${connector}/status" | jq -r '.connector.state // "UNKNOWN"')"
    [[ "${state}" == "RUNNING" ]] && return 0
    sleep 1
  done
  return 1
}

register_outbox takeaway-orders takeaway_orders 190801
register_outbox takeaway-kitchen takeaway_kitchen 190802
register_outbox takeaway-billing takeaway_billing 190803
