#!/bin/bash
# 아웃박스 커넥터 등록 스크립트 (식단 서비스)
CONNECT_HOST="http://localhost:8083"
CONNECTOR_NAME="diet-outbox-connector"

echo "1) Kafka Connect 가 뜰 때까지 기다립니다"
while [ "$(curl -s -o /dev/null -w '%{http_code}' $CONNECT_HOST/connectors)" != "200" ]; do
  sleep 3
done

# 작은따옴표: ${routedByValue} 를 셸이 바꾸지 않습니다
CONNECTOR_CONFIG='{
  "name": "diet-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "diet-mysql",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "root",
    "database.server.id": "20260",
    "topic.prefix": "diet-outbox-",
    "database.include.list": "diet",
    "table.include.list": "diet.outbox_event",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "diet.schema-history",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "diet.${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:type",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'

echo "2) 이미 있으면 지웁니다"
curl -s -o /dev/null -X DELETE "$CONNECT_HOST/connectors/$CONNECTOR_NAME"

echo "3) 등록"
curl -s -X POST "$CONNECT_HOST/connectors" \
  -H "Content-Type: application/json" \
  -d "$CONNECTOR_CONFIG"

echo "4) 상태"
curl -s "$CONNECT_HOST/connectors/$CONNECTOR_NAME/status"
