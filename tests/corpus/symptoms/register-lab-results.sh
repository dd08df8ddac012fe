#!/bin/bash
# After the "topic without a middle part" incident: quoted heredoc, and envsubst may touch two names only.
set -euo pipefail
: "${LAB_DB_USER:?}" "${LAB_DB_PASS:?}"
export LAB_DB_USER LAB_DB_PASS

envsubst '${LAB_DB_USER} ${LAB_DB_PASS}' <<'JSON' | curl -fsS -X PUT -H 'Content-Type: application/json' -d @- "$CONNECT_URL/connectors/lab-results/config"
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "lab-mysql",
  "database.port": "3306",
  "database.user": "${LAB_DB_USER}",
  "database.password": "${LAB_DB_PASS}",
  "database.server.id": "20994",
  "topic.prefix": "lab",
  "database.include.list": "lab",
  "table.include.list": "lab.outbox",
  "include.schema.changes": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "_lab_schema_history",
  "transforms": "route",
  "transforms.route.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.route.route.topic.replacement": "lab.${routedByValue}.result",
  "transforms.route.table.op.invalid.behavior": "error",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
