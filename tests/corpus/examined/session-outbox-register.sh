#!/usr/bin/env bash
# Registers the outbox connector of the login database. Safe to run again:
# an existing connector of that name is removed first.
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

echo "Waiting for Kafka Connect at $CONNECT_URL ..."
until curl -sf "$CONNECT_URL/connectors" > /dev/null; do
  sleep 3
done

FOUND=$(curl -sf "$CONNECT_URL/connectors/session-outbox" | grep -c "session-outbox" || true)
if [ "$FOUND" -gt 0 ]; then
  echo "Removing existing session-outbox ..."
  curl -sf -X DELETE "$CONNECT_URL/connectors/session-outbox"
  sleep 2
fi

echo "Registering session-outbox ..."
curl -sf -X POST "$CONNECT_URL/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "session-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "login_db",
      "database.port": "5432",
      "database.user": "karim",
      "database.password": "445566",
      "database.dbname": "login_db",
      "topic.prefix": "login",
      "table.include.list": "public.outbox_records",
      "plugin.name": "pgoutput",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "aggregate_type",
      "transforms.outbox.route.topic.replacement": "account-events",
      "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter",
      "tombstones.on.delete": "false"
    }
  }'

echo ""
echo "Done. Status:"
sleep 3
curl -sf "$CONNECT_URL/connectors/session-outbox/status" | python3 -m json.tool 2>/dev/null \
  || curl -sf "$CONNECT_URL/connectors/session-outbox/status"
echo ""
