#!/usr/bin/env bash
# Starts the stack, registers one source per schema and waits until all of them run.
set -euo pipefail

put_source() {
  local source_name="$1" schema="$2" server_id="$3"
  jq -n \
    --arg source "${source_name}" \
    --arg schema "${schema}" \
    --arg prefix "meals-${schema}" \
    --arg server_id "${server_id}" \
    '{
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "meals-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "rootpassword",
      "database.server.id": $server_id,
      "topic.prefix": $prefix,
      "database.include.list": $schema,
      "table.include.list": ($schema + ".dispatch"),
      "include.schema.changes": "false",
      "schema.history.internal.kafka.bootstrap.servers": "broker:9092",
      "schema.history.internal.kafka.topic": ("ddl." + $source),
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",
      "transforms": "dispatch",
      "transforms.dispatch.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.dispatch.table.field.event.id": "dispatch_id",
      "transforms.dispatch.table.field.event.key": "entity_id",
      "transforms.dispatch.table.field.event.type": "kind",
      "transforms.dispatch.table.field.event.payload": "content",
      "transforms.dispatch.route.by.field": "address",
      "transforms.dispatch.route.topic.replacement": "${routedByValue}",
      "transforms.dispatch.table.expand.json.payload": "true",
      "transforms.dispatch.table.fields.additional.placement": "kind:header:kind"
    }' | curl --silent --show-error --fail-with-body \
      --request PUT --header 'Content-Type: application/json' --data-binary @- \
      "http://localhost:28083/connectors/${source_name}/config" >/dev/null

  for _ in $(seq 1 80); do
    local status
    status="$(curl --silent "http://localhost:28083/connectors/${source_name}/status")"
    if [[ "$(jq -r '.tasks[0].state // "NONE"' <<<"${status}")" == "RUNNING" ]]; then
      echo "${source_name} runs"
      return 0
    fi
    sleep 1
  done
  echo "${source_name} did not start" >&2
  return 1
}

docker compose up --detach --wait
put_source meals-orders meals_orders 185101
put_source meals-kitchen meals_kitchen 185102
put_source meals-billing meals_billing 185103
