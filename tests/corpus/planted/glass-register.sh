#!/usr/bin/env bash
# Renders the connector of the glassworks and registers it. Only the two variables of the database are substituted.
set -euo pipefail
: "${GLASS_DB_HOST:?}" "${GLASS_DB_PASSWORD:?}" "${CONNECT_URL:=http://localhost:8083}"
export GLASS_DB_HOST GLASS_DB_PASSWORD

template=$(mktemp)
trap 'rm -f "$template"' EXIT

cat > "$template" <<'TEMPLATE'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "${GLASS_DB_HOST}",
  "database.port": "3306",
  "database.user": "glass_cdc",
  "database.password": "${GLASS_DB_PASSWORD}",
  "database.server.id": "18066",
  "topic.prefix": "glass",
  "database.include.list": "glass",
  "table.include.list": "glass.outbox",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "glass.history",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
  "transforms.outbox.route.topic.replacement": "glass.${routedByValue}.events"
}
TEMPLATE

envsubst '$GLASS_DB_HOST $GLASS_DB_PASSWORD' < "$template" |
  curl -fsS -X PUT -H 'Content-Type: application/json' --data-binary @- \
    "$CONNECT_URL/connectors/glass-outbox/config"
