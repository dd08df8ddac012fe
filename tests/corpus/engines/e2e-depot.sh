#!/usr/bin/env bash
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
COMPOSE=(docker compose --project-name depot-e2e -f "${ROOT}/deployment/tests/compose.depot.yml")

cleanup() {
  "${COMPOSE[@]}" down --volumes --remove-orphans >/dev/null 2>&1 || true
}
trap cleanup EXIT

register_depot_outbox() {
  cat <<'JSON' | curl --silent --show-error --fail-with-body \
    --request PUT \
    --header 'Content-Type: application/json' \
    --data-binary @- \
    http://localhost:18083/connectors/e2e-depot/config >/dev/null
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "mysql",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "rootpassword",
  "database.server.id": "175021",
  "topic.prefix": "e2e-depot",
  "database.include.list": "depot",
  "table.include.list": "depot.outbox",
  "include.schema.changes": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "history.e2e-depot",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "event_type",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "destination",
  "transforms.outbox.route.topic.replacement": "${routedByValue}",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType"
}
JSON

  local attempt state
  for attempt in $(seq 1 60); do
    state="$(curl --silent http://localhost:18083/connectors/e2e-depot/status | jq -r '.connector.state // "UNKNOWN"')"
    [[ "${state}" == "RUNNING" ]] && return 0
    [[ "${state}" == "FAILED" ]] && return 1
    sleep 1
  done
  return 1
}

"${COMPOSE[@]}" up --detach --wait mysql kafka connect
register_depot_outbox
"${ROOT}/gradlew" :e2e-tests:test --tests 'example.e2e.DepotFlowTest'
