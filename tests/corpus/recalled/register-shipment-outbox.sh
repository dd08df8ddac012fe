#!/usr/bin/env bash
set -e

: "${CONNECT_URL:=http://localhost:8083}"

until curl -s -o /dev/null "$CONNECT_URL/connectors"; do
  echo "connect is not up yet"; sleep 3
done

curl -i -X POST "$CONNECT_URL/connectors/" \
  -H "Accept:application/json" -H "Content-Type:application/json" \
  -d @- <<EOF
{
  "name": "shipment-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "${SHIPMENT_DB_HOST}",
    "database.port": "5432",
    "database.user": "${SHIPMENT_DB_USER}",
    "database.password": "${SHIPMENT_DB_PASSWORD}",
    "database.dbname": "shipment",
    "topic.prefix": "shipment",
    "table.include.list": "public.outbox_events",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "${routedByValue}.events"
  }
}
EOF
