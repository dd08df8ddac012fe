#!/bin/bash

CDC_HOST=${CDC_HOST:-debezium}
CDC_PORT=${CDC_PORT:-8083}
CONNECTOR=${CONNECTOR:-staff-outbox}
DB_HOST=${DB_HOST:-staff-db}
DB_PORT=${DB_PORT:-5432}
DB_USER=${DB_USER:-postgres}
DB_PASSWORD=${DB_PASSWORD:-postgres}
DB_NAME=${DB_NAME:-staff}
PREFIX=${PREFIX:-congty}
TABLES=${TABLES:-public.outbox_events}
TOPIC=${TOPIC:-Staff}

URL="http://${CDC_HOST}:${CDC_PORT}/connectors"

echo "Cho Debezium tai ${URL}..."
until [ "$(curl -s -o /dev/null -w %{http_code} ${URL})" -eq 200 ]; do
  sleep 5
done

if [ "$(curl -s -o /dev/null -w %{http_code} ${URL}/${CONNECTOR})" -eq 200 ]; then
  echo "Connector '${CONNECTOR}' da ton tai"
  exit 0
fi

# gia tri chi la JSON cua cot payload, khong co schema
BODY=$(cat <<EOF
{
  "name": "${CONNECTOR}",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "${DB_HOST}",
    "database.port": "${DB_PORT}",
    "database.user": "${DB_USER}",
    "database.password": "${DB_PASSWORD}",
    "database.dbname": "${DB_NAME}",
    "topic.prefix": "${PREFIX}",
    "table.include.list": "${TABLES}",
    "plugin.name": "pgoutput",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "${TOPIC}",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.field.event.type": "type",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType, id:header:messageId"
  }
}
EOF
)

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" ${URL} -d "$BODY"
