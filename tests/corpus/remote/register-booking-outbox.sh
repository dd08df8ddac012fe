#!/usr/bin/env bash
# Creates the outbox connector of booking-service in kafka-connect.
# Start the containers first (`docker compose up -d postgres-booking kafka-connect`)
# and booking-service with the profile compose-cdc, which creates the table
# outbox_entries.
#
# From then on each row inserted into outbox_entries is published to the topic
# that its `target` column names, as the old relay did, only without polling.

set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
NAME="booking-outbox-connector"

cat > /tmp/${NAME}.json <<'JSON'
{
  "name": "booking-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres-booking",
    "database.port": "5432",
    "database.user": "booking",
    "database.password": "booking",
    "database.dbname": "bookingdb",
    "topic.prefix": "bookingdb",
    "schema.include.list": "public",
    "table.include.list": "public.outbox_entries",
    "plugin.name": "pgoutput",
    "tombstones.on.delete": "false",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_type",
    "transforms.outbox.route.by.field": "target",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "target:header"
  }
}
JSON

echo "POST ${CONNECT_URL}/connectors ..."
curl -sS -X POST -H "Content-Type: application/json" \
     --data @/tmp/${NAME}.json \
     "${CONNECT_URL}/connectors" | jq .

echo
echo "State:"
curl -sS "${CONNECT_URL}/connectors/${NAME}/status" | jq .
