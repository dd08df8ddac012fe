
set -e
CONNECT_URL="http://localhost:28083"
CONNECTOR_NAME="messenger-outbox-connector"

echo "Connect 기동을 기다립니다"
until curl -sf "${CONNECT_URL}/connectors" > /dev/null; do
  sleep 2
done
echo "Connect 기동됨"

# 같은 이름이 이미 있으면 지우고 새로 올린다
if curl -sf "${CONNECT_URL}/connectors/${CONNECTOR_NAME}" > /dev/null 2>&1; then
  echo "이전 설정 제거: ${CONNECTOR_NAME}"
  curl -X DELETE "${CONNECT_URL}/connectors/${CONNECTOR_NAME}"
  echo ""
fi

curl -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "'"${CONNECTOR_NAME}"'",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql",
      "database.port": "3306",
      "database.user": "dev_user",
      "database.password": "dev_password",
      "database.server.id": "223351",
      "topic.prefix": "cdc",
      "database.include.list": "messenger",
      "table.include.list": "messenger.outbox",
      "snapshot.mode": "schema_only",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "schema-changes.messenger",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "destination_topic",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.field.event.key": "partition_key",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.op.invalid.behavior": "warn",
      "poll.interval.ms": "50"
    }
  }'

echo ""
sleep 2
curl -s "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/status" | python3 -m json.tool 2> /dev/null || \
  curl -s "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/status"
echo ""
