#!/bin/bash
KAFKA_CONNECT_URL="${KAFKA_CONNECT_URL:-http://localhost:8083}"
create() {
  local name=$1 hostname=$2 dbname=$3 topic_prefix=$4 route_replacement=$5
  curl -s -X POST "${KAFKA_CONNECT_URL}/connectors" \
    -H 'Content-Type: application/json' \
    -d '{
    "name": "'"${name}"'",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "'"${hostname}"'",
      "database.port": "5432",
      "database.user": "svc_user",
      "database.password": "svc_pass",
      "database.dbname": "'"${dbname}"'",
      "topic.prefix": "'"${topic_prefix}"'",
      "table.include.list": "public.outbox_events",
      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.timestamp": "created_at",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.route.topic.replacement": "'"${route_replacement}"'",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter"
    }
  }'
}
create sales-outbox sales-db sales sales 'sales.${routedByValue}'
create stock-outbox stock-db stock stock 'stock.${routedByValue}'
