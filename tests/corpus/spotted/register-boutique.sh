#!/bin/bash
# outbox 커넥터를 등록한다. 비밀번호는 .env 에서 읽는다.

BASE="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if [ -f "$BASE/.env" ]; then
  set -a
  source "$BASE/.env"
  set +a
fi

CONNECT=${CONNECT:-localhost:8093}
SHOP_ROOT_PASSWORD=${SHOP_ROOT_PASSWORD:-}

if [ -z "SHOP_ROOT_PASSWORD" ]; then
  echo "SHOP_ROOT_PASSWORD 가 없습니다"
  exit 1
fi

curl -X POST "http://${CONNECT}/connectors" \
  -H "Content-Type: application/json" \
  -d "{
    \"name\": \"boutique-rows\",
    \"config\": {
      \"connector.class\": \"io.debezium.connector.mysql.MySqlConnector\",
      \"database.hostname\": \"boutique-mysql\",
      \"database.port\": \"3306\",
      \"database.user\": \"root\",
      \"database.password\": \"${SHOP_ROOT_PASSWORD}\",
      \"database.server.id\": \"21\",
      \"database.include.list\": \"boutique\",
      \"table.include.list\": \".*message_row\",
      \"topic.prefix\": \"boutique\",
      \"schema.history.internal.kafka.bootstrap.servers\": \"broker:9092\",
      \"schema.history.internal.kafka.topic\": \"ddl.boutique\",
      \"transforms\": \"rows,frame\",
      \"transforms.rows.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.rows.table.field.event.id\": \"id\",
      \"transforms.rows.table.field.event.key\": \"root_id\",
      \"transforms.rows.table.field.event.payload\": \"content\",
      \"transforms.rows.table.field.event.type\": \"kind\",
      \"transforms.rows.route.by.field\": \"topic\",
      \"transforms.rows.route.topic.replacement\": \"\${routedByValue}\",
      \"transforms.rows.table.fields.additional.placement\": \"row_uuid:header:rowUuid,trace_id:header:traceId,kind:header:kind,topic:header:topic\",
      \"transforms.frame.type\": \"org.example.boutique.smt.FrameWrapper\$Value\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
      \"value.converter.schemas.enable\": \"false\"
    }
  }"
