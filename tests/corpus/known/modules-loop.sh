#!/bin/bash
CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
until curl -s "$CONNECT_URL/connectors" > /dev/null; do sleep 2; done

MODULES=("order" "payment" "stock" "member")
for MODULE in "${MODULES[@]}"; do
  SCHEMA="${MODULE}_schema"
  CONNECTOR_NAME="outbox-${MODULE}"
  TOPIC="bazaar.${MODULE}.events"
  curl -s -X POST "$CONNECT_URL/connectors" \
    -H "Content-Type: application/json" \
    -d "{
      \"name\": \"${CONNECTOR_NAME}\",
      \"config\": {
        \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
        \"database.hostname\": \"postgres\",
        \"database.port\": \"5432\",
        \"database.user\": \"bazaar\",
        \"database.password\": \"bazaar1234\",
        \"database.dbname\": \"bazaar_db\",
        \"database.server.name\": \"bazaar\",
        \"schema.include.list\": \"${SCHEMA}\",
        \"table.include.list\": \"${SCHEMA}.outbox_events\",
        \"transforms\": \"outbox\",
        \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
        \"transforms.outbox.table.field.event.id\": \"event_id\",
        \"transforms.outbox.table.field.event.key\": \"aggregate_id\",
        \"transforms.outbox.table.field.event.type\": \"event_type\",
        \"transforms.outbox.table.field.event.payload\": \"payload\",
        \"transforms.outbox.route.topic.replacement\": \"${TOPIC}\",
        \"transforms.outbox.table.expand.json.payload\": \"true\",
        \"topic.prefix\": \"bazaar\",
        \"plugin.name\": \"pgoutput\",
        \"slot.name\": \"outbox_${MODULE}_slot\",
        \"publication.name\": \"outbox_${MODULE}_pub\"
      }
    }"
done
