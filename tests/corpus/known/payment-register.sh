#!/bin/bash
echo "registering the payment connector"
curl -X POST http://localhost:8087/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "payment-events",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "island-pg",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "password",
      "database.dbname": "payment_db",
      "topic.prefix": "island",
      "database.server.name": "island",
      "table.include.list": "public.payment_outbox",
      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",
      "slot.name": "island_payment_slot",
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
      "transforms.outbox.route.topic.replacement": "payment.events",
      "transforms.outbox.table.fields.additional.placement": "event_type:header"
    }
  }'
echo ""
curl -s http://localhost:8087/connectors/payment-events/status | jq .
