#!/bin/sh
set -e
set -u

CONNECT_URL="${KAFKA_CONNECT_URL:-http://kafka-connect:8083}"
CONNECTOR_NAME="${CDC_CONNECTOR_NAME:-imtalk-outbox}"
BOOTSTRAP_SERVERS="${KAFKA_BROKERS:-kafka:9092}"
DB_HOST="${CDC_MYSQL_HOST:-mysql}"
DB_PORT="${CDC_MYSQL_PORT:-3306}"
DB_USER="${CDC_MYSQL_USER:-debezium}"
DB_PASSWORD="${CDC_MYSQL_PASSWORD:-debezium}"
DB_NAME="${CDC_MYSQL_DATABASE:-imtalk_server}"
DB_SERVER_ID="${CDC_MYSQL_SERVER_ID:-5417}"
TOPIC_PREFIX="${CDC_TOPIC_PREFIX:-imtalk}"
OUTBOX_TABLE="${CDC_OUTBOX_TABLE:-imtalk_server.outbox_records}"
SCHEMA_HISTORY_TOPIC="${CDC_SCHEMA_HISTORY_TOPIC:-imtalk.schema-history}"
READY_TIMEOUT_SECONDS="${CONNECT_READY_TIMEOUT_SECONDS:-120}"

echo "[cdc-init] 等待 Kafka Connect: ${CONNECT_URL}"
deadline=$(( $(date +%s) + READY_TIMEOUT_SECONDS ))
until curl -fsS "${CONNECT_URL}/connectors" >/dev/null 2>&1; do
    if [ "$(date +%s)" -ge "${deadline}" ]; then
        echo "[cdc-init] Kafka Connect 超时未就绪" >&2
        exit 1
    fi
    sleep 2
done

# 这个 worker 只给 outbox 用，只能有一个 connector；
# 如果有两个同时读 outbox_records，同一条 binlog 事件会写两遍。

cat <<EOF >/tmp/imtalk-connector.json
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "${DB_HOST}",
  "database.port": "${DB_PORT}",
  "database.user": "${DB_USER}",
  "database.password": "${DB_PASSWORD}",
  "database.server.id": "${DB_SERVER_ID}",
  "topic.prefix": "${TOPIC_PREFIX}",
  "database.include.list": "${DB_NAME}",
  "table.include.list": "${OUTBOX_TABLE}",
  "include.schema.changes": "false",
  "snapshot.mode": "when_needed",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "schema.history.internal.kafka.bootstrap.servers": "${BOOTSTRAP_SERVERS}",
  "schema.history.internal.kafka.topic": "${SCHEMA_HISTORY_TOPIC}",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "event_type",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.field.event.key": "entity_id",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType,entity_id:header:entityId,created_at:header:createdAt"
}
EOF

echo "[cdc-init] 注册 connector: ${CONNECTOR_NAME}"
curl -fsS -X PUT \
  -H "Accept: application/json" \
  -H "Content-Type: application/json" \
  --data @/tmp/imtalk-connector.json \
  "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/config" >/dev/null

# connector 或 task 已经 FAILED 时 /status 仍然返回 200，所以要看内容
sleep 5
curl -fsS "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/status" | grep -q '"state":"FAILED"' && exit 1
echo "[cdc-init] 完成"
