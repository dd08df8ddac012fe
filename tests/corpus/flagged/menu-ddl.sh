#!/usr/bin/env bash
# (re-)creates the connector of the menu database
set -euo pipefail

CONNECT=${CONNECT:-http://localhost:8083}

until curl -sf "$CONNECT/connectors" >/dev/null; do sleep 2; done

curl -sS -X PUT "$CONNECT/connectors/menu-source/config" \
  -H 'Content-Type: application/json' \
  --data-binary @- <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "menu-mysql",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "root",
  "database.server.id": "40177",
  "database.include.list": "menu",
  "topic.prefix": "menu",
  "include.schema.changes": "true",
  "schema.history.internal.kafka.bootstrap.servers": "broker:29092",
  "schema.history.internal.kafka.topic": "menu-history",
  "topic.creation.default.partitions": "4",
  "transforms": "ddl",
  "transforms.ddl.type": "io.debezium.transforms.SchemaChangeEventFilter",
  "transforms.ddl.schema.change.event.exclude.list": "drop,truncate"
}
JSON

curl -s "$CONNECT/connectors/menu-source/status" | jq .
