#!/bin/bash

# 세탁소 아웃박스 커넥터

BASE_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if [ -f "$BASE_DIR/.env" ]; then
  set -a
  source "$BASE_DIR/.env"
  set +a
fi

CONNECT=${CONNECT:-localhost:8093}
DB_ROOT_PASSWORD=${DB_ROOT_PASSWORD:-}

curl -X POST "http://${CONNECT}/connectors" \
  -H "Content-Type: application/json" \
  -d "{
    \"name\": \"laundry-outbox\",
    \"config\": {
      \"connector.class\": \"io.debezium.connector.mysql.MySqlConnector\",
      \"database.hostname\": \"mysql\",
      \"database.port\": \"3306\",
      \"database.user\": \"root\",
      \"database.password\": \"${DB_ROOT_PASSWORD}\",
      \"database.server.id\": \"1\",
      \"database.include.list\": \"setak\",
      \"table.include.list\": \".*outbox_event\",
      \"topic.prefix\": \"outbox\",
      \"schema.history.internal.kafka.bootstrap.servers\": \"kafka:9092\",
      \"schema.history.internal.kafka.topic\": \"schema-changes.outbox\",
      \"transforms\": \"outbox,wrap\",
      \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.outbox.table.field.event.id\": \"id\",
      \"transforms.outbox.table.field.event.key\": \"aggregate_id\",
      \"transforms.outbox.table.field.event.payload\": \"payload\",
      \"transforms.outbox.table.field.event.type\": \"event_type\",
      \"transforms.outbox.route.by.field\": \"topic\",
      \"transforms.outbox.route.topic.replacement\": \"\${routedByValue}\",
      \"transforms.outbox.table.fields.additional.placement\": \"event_id:header:eventId,trace_id:header:traceId,event_type:header:eventType,topic:header:topic\",
      \"transforms.wrap.type\": \"kr.setak.connect.smt.EventWrapper\$Value\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
      \"value.converter.schemas.enable\": \"false\"
    }
  }"
