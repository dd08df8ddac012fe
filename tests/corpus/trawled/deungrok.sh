#!/bin/bash
CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
NAME="bazaar-outbox"

until curl -s "${CONNECT_URL}/connectors" > /dev/null; do
  echo "Connect 대기 중..."
  sleep 3
done

if curl -s -f "${CONNECT_URL}/connectors/${NAME}" > /dev/null 2>&1; then
  echo "기존 커넥터 삭제: ${NAME}"
  curl -X DELETE "${CONNECT_URL}/connectors/${NAME}"
fi

curl -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "'"${NAME}"'",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.server.id": "445566",
      "topic.prefix": "cdcz",
      "database.include.list": "bazaar",
      "table.include.list": "bazaar.booth_outbox_event,bazaar.goods_outbox_event,bazaar.pay_outbox_event",
      "snapshot.mode": "schema_only",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
      "schema.history.internal.kafka.topic": "ddl.bazaar",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "target_topic",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.field.event.key": "shard_key",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.op.invalid.behavior": "warn"
    }
  }'

echo ""
sleep 2
curl -s "${CONNECT_URL}/connectors/${NAME}/status" | python3 -m json.tool
