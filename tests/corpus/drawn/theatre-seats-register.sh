#!/bin/bash
# Puts the three theatre connectors on Connect
# Call: ./theatre-seats-register.sh [HOST:PORT]

CONNECT=${1:-localhost:8083}

echo "Target: $CONNECT"

# Reservations: outbox
curl -s -X POST "http://$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "reservation-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "theatre",
      "database.password": "theatre_secret",
      "database.dbname": "reservation_db",
      "database.server.name": "reservation",
      "topic.prefix": "cdc.reservation",
      "table.include.list": "public.reservations,public.reservation_saga_log",
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

# Till
curl -s -X POST "http://$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "till-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "theatre",
      "database.password": "theatre_secret",
      "database.dbname": "till_db",
      "database.server.name": "till",
      "topic.prefix": "cdc.till",
      "table.include.list": "public.receipts,public.receipt_audit_log",
      "publication.autocreate.mode": "filtered",
      "slot.name": "till_slot",
      "plugin.name": "pgoutput",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false
    }
  }'

echo ""

# Seat map
curl -s -X POST "http://$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "seat-map-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "theatre",
      "database.password": "theatre_secret",
      "database.dbname": "hall_db",
      "database.server.name": "hall",
      "topic.prefix": "cdc.hall",
      "table.include.list": "public.seat_map",
      "publication.autocreate.mode": "filtered",
      "slot.name": "hall_slot",
      "plugin.name": "pgoutput",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false
    }
  }'

echo ""
curl -s "http://$CONNECT/connectors" | python3 -m json.tool 2>/dev/null || echo "ok"
