#!/usr/bin/env bash
# MySQL 아웃박스 커넥터를 등록한다
# compose 기동 후 한 번만 실행

set -e

CONNECT_URL="http://localhost:28083"
CONNECTOR_NAME="market-outbox-connector"

echo "Kafka Connect 기다리는 중..."
until curl -sf "${CONNECT_URL}/connectors" > /dev/null; do
  sleep 2
done

# 이미 있으면 지우고 다시 등록
if curl -sf "${CONNECT_URL}/connectors/${CONNECTOR_NAME}" > /dev/null 2>&1; then
  echo "기존 커넥터 제거: ${CONNECTOR_NAME}"
  curl -X DELETE "${CONNECT_URL}/connectors/${CONNECTOR_NAME}"
fi

echo "등록: ${CONNECTOR_NAME}"
curl -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "'"${CONNECTOR_NAME}"'",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.server.id": "223355",
      "topic.prefix": "cdc",
      "database.include.list": "market",
      "table.include.list": "market.cart_outbox_event,market.depot_outbox_event,market.billing_outbox_event,market.item_outbox_event",
      "snapshot.mode": "schema_only",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
      "schema.history.internal.kafka.topic": "schema-changes.market",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "destination_topic",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.field.event.key": "partition_key",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.op.invalid.behavior": "warn"
    }
  }'

echo ""
sleep 2
curl -s "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/status"
