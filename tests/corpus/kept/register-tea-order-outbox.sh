#!/bin/bash

echo "waiting for Connect ..."
until curl -f http://localhost:8087/ > /dev/null 2>&1; do
  echo "  not yet"
  sleep 2
done

echo "registering the connector of the brew database ..."
curl -X POST http://localhost:8087/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "brew-events-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "teahouse-postgres",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "password",
      "database.dbname": "brew_db",
      "database.server.name": "teahouse1",
      "topic.prefix": "teahouse1",
      "plugin.name": "pgoutput",
      "slot.name": "debezium_brew_slot",
      "publication.autocreate.mode": "filtered",
      "table.include.list": "public.brew_outbox",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.topic.replacement": "brew.events",
      "key.converter": "org.apache.kafka.connect.json.JsonConverter",
      "key.converter.schemas.enable": "false",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false"
    }
  }'

echo ""
echo "status:"
curl -s http://localhost:8087/connectors/brew-events-connector/status | jq .
