#!/usr/bin/env bash
# Registers the CDC connectors of the concert hall platform (outbox pattern)
# Usage: ./hall-connectors.sh [CONNECT_HOST]

CONNECT_HOST=${1:-localhost:8083}

echo "Connectors go to $CONNECT_HOST ..."

# Reservation service - outbox events
curl -s -X POST "http://$CONNECT_HOST/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "reservation-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "pg",
      "database.port": "5432",
      "database.user": "hallpass",
      "database.password": "hallpass_secret",
      "database.dbname": "reservation_db",
      "database.server.name": "reservation",
      "topic.prefix": "cdc.reservation",
      "table.include.list": "public.reservations,public.reservation_saga_steps",
      "publication.autocreate.mode": "filtered",
      "slot.name": "reservation_slot",
      "plugin.name": "pgoutput",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "reservation_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.topic.replacement": "reservation-events",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false
    }
  }'

echo ""

# Checkout service
curl -s -X POST "http://$CONNECT_HOST/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "checkout-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "pg",
      "database.port": "5432",
      "database.user": "hallpass",
      "database.password": "hallpass_secret",
      "database.dbname": "checkout_db",
      "database.server.name": "checkout",
      "topic.prefix": "cdc.checkout",
      "table.include.list": "public.charges,public.charge_audit",
      "publication.autocreate.mode": "filtered",
      "slot.name": "checkout_slot",
      "plugin.name": "pgoutput",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false
    }
  }'

echo ""

# Seating plan - live seat colours in the browser
curl -s -X POST "http://$CONNECT_HOST/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "seating-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "pg",
      "database.port": "5432",
      "database.user": "hallpass",
      "database.password": "hallpass_secret",
      "database.dbname": "programme_db",
      "database.server.name": "seating",
      "topic.prefix": "cdc.seating",
      "table.include.list": "public.seating",
      "publication.autocreate.mode": "filtered",
      "slot.name": "seating_slot",
      "plugin.name": "pgoutput",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false
    }
  }'

echo ""
curl -s "http://$CONNECT_HOST/connectors" | python3 -m json.tool 2>/dev/null || echo "ok"
