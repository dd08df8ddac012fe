#!/bin/bash

# Registers the outbox connector of the auction site

DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if [ -f "$DIR/.env" ]; then
  set -a
  source "$DIR/.env"
  set +a
fi

CONNECT_HOST=${CONNECT_HOST:-localhost:8093}
MYSQL_ROOT_PASSWORD=${MYSQL_ROOT_PASSWORD:-}

curl -X POST "http://${CONNECT_HOST}/connectors" \
  -H "Content-Type: application/json" \
  -d "{
    \"name\": \"auction-outbox\",
    \"config\": {
      \"connector.class\": \"io.debezium.connector.mysql.MySqlConnector\",
      \"database.hostname\": \"mysql\",
      \"database.port\": \"3306\",
      \"database.user\": \"root\",
      \"database.password\": \"${MYSQL_ROOT_PASSWORD}\",
      \"database.server.id\": \"31\",
      \"database.include.list\": \"auction\",
      \"table.include.list\": \".*outgoing_event\",
      \"topic.prefix\": \"auction-cdc\",
      \"schema.history.internal.kafka.bootstrap.servers\": \"kafka:9092\",
      \"schema.history.internal.kafka.topic\": \"ddl.auction\",
      \"transforms\": \"outbox,envelope\",
      \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.outbox.table.field.event.id\": \"id\",
      \"transforms.outbox.table.field.event.key\": \"lot_id\",
      \"transforms.outbox.table.field.event.payload\": \"payload\",
      \"transforms.outbox.table.field.event.type\": \"event_type\",
      \"transforms.outbox.route.by.field\": \"topic\",
      \"transforms.outbox.route.topic.replacement\": \"\${routedByValue}\",
      \"transforms.outbox.table.fields.additional.placement\": \"event_id:header:eventId,trace_id:header:traceId,event_type:header:eventType\",
      \"transforms.envelope.type\": \"org.example.auction.smt.EventEnvelope\$Value\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
      \"value.converter.schemas.enable\": \"false\"
    }
  }"

# The envelope builds {id, type, trace, data} from the headers and parses the payload into data.
