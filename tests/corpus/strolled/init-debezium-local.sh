#!/bin/bash

# ==============================================================================
# RailPass - Debezium on the developer's machine
# ==============================================================================
# Registers the two PostgreSQL connectors that publish the outbox tables of the
# Seats and the Bookings service. Start the compose stack first.
# ==============================================================================

echo "Looking for Debezium on localhost:8083..."
while ! curl -s http://localhost:8083/ > /dev/null; do
  sleep 2
  echo -n "."
done
echo -e "\nFound it."

echo "seats-outbox-connector..."

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" http://localhost:8083/connectors -d '{
  "name": "seats-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "seats",
    "database.password": "password",
    "database.dbname": "seats_db",
    "topic.prefix": "seats",
    "plugin.name": "pgoutput",
    "slot.name": "seats_outbox",
    "publication.name": "seats_outbox_publication",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox_rows",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.route.by.field": "type"
  }
}'

echo -e "\n\nbookings-outbox-connector..."

# Bookings live in another database, so this one has its own slot and publication. The type of a
# row is the topic: booking-made / booking-confirmed / mail-requested.
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" http://localhost:8083/connectors -d '{
  "name": "bookings-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "bookings",
    "database.password": "password",
    "database.dbname": "bookings_db",
    "topic.prefix": "bookings",
    "plugin.name": "pgoutput",
    "slot.name": "bookings_outbox",
    "publication.name": "bookings_outbox_publication",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox_rows",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.route.by.field": "type"
  }
}'

echo -e "\n\nBoth are registered."
