#!/bin/sh
set -eu
: "${CONNECT:=http://connect:8083}"

config=$(cat <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "catalog-pg",
  "database.port": "5432",
  "database.dbname": "catalog",
  "plugin.name": "pgoutput",
  "slot.name": "catalog_outbox",
  "publication.name": "catalog_outbox",
  "topic.prefix": "catalog",
  "table.include.list": "public.outbox",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "transforms": "outbox,day,origin",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.route.topic.replacement": "catalog.${routedByValue}",
  "transforms.day.type": "org.apache.kafka.connect.transforms.TimestampRouter",
  "transforms.day.topic.format": "${topic}.${timestamp}",
  "transforms.day.timestamp.format": "yyyyMM",
  "transforms.origin.type": "org.apache.kafka.connect.transforms.InsertField$Value",
  "transforms.origin.static.field": "origin",
  "transforms.origin.static.value": "catalog-service"
}
JSON
)

printf '%s' "$config" |
  jq --arg u "$CATALOG_DB_USER" --arg p "$CATALOG_DB_PASSWORD" '. + {"database.user": $u, "database.password": $p}' |
  curl -fsS -X PUT -H 'Content-Type: application/json' --data @- "$CONNECT/connectors/catalog-outbox/config"
