#!/usr/bin/env bash
# Registers the dispatch outbox connector. Usage: CONNECT_URL=... DB_HOST=... ./register-dispatch.sh
set -eo pipefail

CONNECT_URL=${CONNECT_URL:-http://localhost:8083}
DB_HOST=${DB_HOST:-localhost}
DB_PASSWORD=${DB_PASSWORD:?}

curl -fsS -X PUT "$CONNECT_URL/connectors/dispatch-outbox/config" \
  -H 'Content-Type: application/json' -d @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "$DB_HOST",
  "database.port": "5432",
  "database.user": "dispatch_cdc",
  "database.password": "$DB_PASSWORD",
  "database.dbname": "dispatch",
  "plugin.name": "pgoutput",
  "slot.name": "dispatch_outbox",
  "publication.name": "dispatch_outbox",
  "topic.prefix": "dispatch",
  "table.include.list": "public.outbox",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "transforms": "outbox,origin",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.route.topic.replacement": "dispatch.events",
  "transforms.origin.type": "org.apache.kafka.connect.transforms.InsertField$Value",
  "transforms.origin.static.field": "origin",
  "transforms.origin.static.value": "dispatch-service"
}
JSON
