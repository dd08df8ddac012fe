#!/bin/bash

echo "Is Connect answering?"
until curl -f http://localhost:8088/ > /dev/null 2>&1; do
  echo "no, trying again"
  sleep 3
done

echo "Creating the connector of the settlement outbox ..."
curl -X POST http://localhost:8088/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "settlement-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "ferry-postgres",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "password",
      "database.dbname": "settlement_db",
      "topic.prefix": "ferrydb",
      "database.server.name": "ferrydb",
      "table.include.list": "public.settlement_outbox",
      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",
      "slot.name": "ferry_settlement_slot",
      "key.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "key.converter.schemas.enable": "false",
      "value.converter.schemas.enable": "false",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.key": "entity_id",
      "transforms.outbox.table.field.event.type": "kind",
      "transforms.outbox.table.field.event.payload": "content",
      "transforms.outbox.route.by.field": "entity_type",
      "transforms.outbox.route.topic.replacement": "settlement.events",
      "transforms.outbox.table.fields.additional.placement": "kind:header"
    }
  }'

echo ""
echo "Done; its state:"
curl -s http://localhost:8088/connectors/settlement-outbox/status | jq .
