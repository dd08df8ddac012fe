#!/bin/sh
echo "CDC connectors: start"

until curl -s http://debezium:8083/connectors > /dev/null; do
  echo "Connect is not up yet"
  sleep 5
done

curl -s -X POST http://debezium:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "freight-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "'"${PG_USER}"'",
      "database.password": "'"${PG_PASSWORD}"'",
      "database.dbname": "freight_db",
      "topic.prefix": "freight",
      "table.include.list": "public.outbox_events",
      "plugin.name": "pgoutput",
      "slot.name": "freight_outbox_slot",
      "publication.autocreate.mode": "filtered",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "aggregate_type",
      "transforms.outbox.table.fields.additional.placement": "event_type:header"
    }
  }'

curl -s -X POST http://debezium:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "purse-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "'"${PG_USER}"'",
      "database.password": "'"${PG_PASSWORD}"'",
      "database.dbname": "purse_db",
      "topic.prefix": "purse",
      "table.include.list": "public.outbox_events",
      "plugin.name": "pgoutput",
      "slot.name": "purse_outbox_slot",
      "publication.autocreate.mode": "filtered",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "aggregate_type",
      "transforms.outbox.table.fields.additional.placement": "event_type:header"
    }
  }'

echo "CDC connectors: done"
