#!/usr/bin/env bash
set -euo pipefail
: "${WEB_DB_PASSWORD:?}" "${API_DB_PASSWORD:?}"
CONNECT="${CONNECT_URL:-http://connect:8083}"

register() {
  curl -fsS -X PUT "${CONNECT}/connectors/$1/config" -H "Content-Type: application/json" -d "$2"
}

# Django
WEB=$(cat <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${WEB_DB_HOST}",
  "database.port": "${WEB_DB_PORT}",
  "database.user": "${WEB_DB_USER}",
  "database.password": "${WEB_DB_PASSWORD}",
  "database.dbname": "${WEB_DB_NAME}",
  "topic.prefix": "sentinel_web",
  "plugin.name": "pgoutput",
  "publication.name": "sentinel_web_pub",
  "slot.name": "sentinel_web_outbox",
  "table.include.list": "public.outbox",
  "heartbeat.interval.ms": "6000",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "key",
  "transforms.outbox.table.field.event.type": "topic",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)
register "sentinel-web-outbox" "${WEB}"

# FastAPI
API=$(cat <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${API_DB_HOST}",
  "database.port": "${API_DB_PORT}",
  "database.user": "${API_DB_USER}",
  "database.password": "${API_DB_PASSWORD}",
  "database.dbname": "${API_DB_NAME}",
  "topic.prefix": "sentinel_api",
  "plugin.name": "pgoutput",
  "publication.name": "sentinel_api_pub",
  "slot.name": "sentinel_api_outbox",
  "table.include.list": "public.outbox",
  "heartbeat.interval.ms": "6000",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "key",
  "transforms.outbox.table.field.event.type": "topic",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)
register "sentinel-api-outbox" "${API}"
