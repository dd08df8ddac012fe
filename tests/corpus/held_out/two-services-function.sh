#!/bin/bash
CONNECT_URL="http://localhost:8083/connectors"
register() {
  local name=$1 config=$2
  response=$(curl -s -o /dev/null -w "%{http_code}" -X POST "$CONNECT_URL" \
    -H "Content-Type: application/json" \
    -d "$config")
  echo "[$name] HTTP $response"
}

register "sales-outbox" '{
  "name": "sales-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "sales-db",
    "database.port": "5432",
    "database.user": "username",
    "database.password": "password",
    "database.dbname": "sales_db",
    "topic.prefix": "sales",
    "plugin.name": "pgoutput",
    "slot.name": "sales_slot",
    "table.include.list": "public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "tombstones.on.delete": "false",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter.schemas.enable": "false"
  }
}'

register "stock-outbox" '{
  "name": "stock-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "stock-db",
    "database.port": "5432",
    "database.user": "username",
    "database.password": "password",
    "database.dbname": "stock_db",
    "topic.prefix": "stock",
    "plugin.name": "pgoutput",
    "slot.name": "stock_slot",
    "table.include.list": "public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "tombstones.on.delete": "false",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter.schemas.enable": "false"
  }
}'
