#!/bin/bash

echo "Waiting for Kafka Connect..."
until curl -s http://localhost:8087/connectors > /dev/null; do
  sleep 3
done

curl -X POST http://localhost:8087/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "dispatch-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "island-postgres",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "password",
      "database.dbname": "dispatch_db",
      "topic.prefix": "island1",
      "database.server.name": "island1",
      "table.include.list": "public.dispatch_outbox",
      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",
      "slot.name": "debezium_dispatch_slot",
      "key.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "key.converter.schemas.enable": "false",
      "value.converter.schemas.enable": "false",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "aggregate_type",
      "transforms.outbox.route.topic.replacement": "dispatch.events",
      "transforms.outbox.table.fields.additional.placement": "event_type:header"
    }
  }'

echo ""
curl -s http://localhost:8087/connectors/dispatch-outbox-connector/status | jq .
