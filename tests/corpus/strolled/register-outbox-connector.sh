#!/bin/sh
set -eu

rest="${CONNECT_REST:-http://localhost:28393}"
connector="${CONNECTOR:-promiser-outbox}"
slot="${SLOT:-promiser_outbox_slot}"
pg_host="${PG_HOST:-postgres}"
pg_port="${PG_PORT:-5432}"
pg_name="${PG_NAME:-stock_promising}"
pg_username="${PG_USERNAME:-stock_promising}"
pg_password="${PG_PASSWORD:-stock_promising}"

echo "等候 Kafka Connect（${rest}）..."
until curl -fsS "${rest}/connectors" >/dev/null; do
  sleep 1
done

echo "寫入 connector '${connector}'..."
curl -fsS -X PUT "${rest}/connectors/${connector}/config" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${pg_host}",
  "database.port": "${pg_port}",
  "database.user": "${pg_username}",
  "database.password": "${pg_password}",
  "database.dbname": "${pg_name}",
  "plugin.name": "pgoutput",
  "topic.prefix": "promiser",
  "table.include.list": "public.outgoing_rows",
  "slot.name": "${slot}",
  "publication.autocreate.mode": "filtered",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "target",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.field.event.key": "order_key",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.table.fields.additional.placement": "type:header:eventType,headers:header:rowHeaders",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
JSON

n=1
while [ "${n}" -le 60 ]; do
  status="$(curl -fsS "${rest}/connectors/${connector}/status" 2>/dev/null || true)"
  running="$(printf '%s' "${status}" | tr ',' '\n' | grep -c '"state":"RUNNING"' || true)"
  if [ "${running}" -ge 2 ]; then
    echo "'${connector}' 執行中。"
    exit 0
  fi
  n=$((n + 1))
  sleep 1
done

echo "'${connector}' 沒有起來。" >&2
exit 1
