#!/bin/bash
set -e
CONNECT_HOST="${CONNECT_HOST:-localhost}"
DB_NAME="${DB_NAME:-pinboard}"
curl -X POST "http://${CONNECT_HOST}:8083/connectors" \
  -H "Content-Type: application/json" \
  -d "{
  \"name\": \"pinboard-outbox\",
  \"config\": {
    \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
    \"database.hostname\": \"${DB_HOST}\",
    \"database.port\": \"${DB_PORT}\",
    \"database.user\": \"${DB_USER}\",
    \"database.password\": \"${DB_PASSWORD}\",
    \"database.dbname\": \"${DB_NAME}\",
    \"topic.prefix\": \"pinboard\",
    \"table.include.list\": \"public.outbox_events\",
    \"plugin.name\": \"pgoutput\",
    \"slot.name\": \"pinboard_outbox_slot\",
    \"transforms\": \"outbox\",
    \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
    \"transforms.outbox.table.fields.additional.placement\": \"event_type:header:eventType\",
    \"transforms.outbox.table.field.event.id\": \"id\",
    \"transforms.outbox.table.field.event.key\": \"aggregate_id\",
    \"transforms.outbox.table.field.event.payload\": \"payload\",
    \"transforms.outbox.table.field.event.timestamp\": \"created_at\",
    \"transforms.outbox.route.by.field\": \"aggregate_type\",
    \"transforms.outbox.route.topic.replacement\": \"outbox.event.\${routedByValue}\",
    \"tombstones.on.delete\": \"false\",
    \"key.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
    \"key.converter.schemas.enable\": false,
    \"value.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
    \"value.converter.schemas.enable\": false
  }
}"
