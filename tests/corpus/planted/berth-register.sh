#!/usr/bin/env bash
# Registers the outbox connector of the berth planner (quay.io/debezium/connect:3.3).
set -e

CONNECT=${CONNECT:-http://localhost:8083}
NAME=berth-planner-events

until curl -sf "$CONNECT/connectors" >/dev/null; do
  echo "waiting for connect ..."
  sleep 3
done

body=$(cat <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${BERTH_DB_HOST:-berthdb}",
  "database.port": "5432",
  "database.user": "${BERTH_DB_USER:-debezium}",
  "database.password": "${BERTH_DB_PASSWORD:?not set}",
  "database.dbname": "berths",
  "topic.prefix": "berths",
  "plugin.name": "pgoutput",
  "slot.name": "berth_planner",
  "publication.name": "berth_planner",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "planner.outbox_event",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.key": "berth_id",
  "transforms.outbox.route.by.field": "stream",
  "transforms.outbox.route.topic.replacement": "port.events.${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "type:header:eventType"
}
JSON
)

curl -sS -X PUT -H 'Content-Type: application/json' \
  --data "$body" "$CONNECT/connectors/$NAME/config" | jq .

echo "events appear on port.events.berth, port.events.vessel and port.events.pilot"
