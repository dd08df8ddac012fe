#!/bin/bash
# 아웃박스 커넥터 두 개를 등록한다
CONNECT="http://localhost:8083"
until curl -s "$CONNECT/" > /dev/null 2>&1; do sleep 2; done

# 경기 서비스
curl -s -X POST "$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "match-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "league-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.connectionTimeZone": "Asia/Seoul",
      "database.server.id": "20101",
      "topic.prefix": "dbz-match",
      "database.include.list": "match",
      "table.include.list": "match.outbox",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "_ddl-match",

      "transforms": "route",
      "transforms.route.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.route.table.field.event.id": "event_id",
      "transforms.route.table.field.event.key": "aggregate_id",
      "transforms.route.table.field.event.type": "event_type",
      "transforms.route.table.field.event.payload": "body",
      "transforms.route.route.topic.replacement": "${routedByValue}",
      "transforms.route.table.fields.additional.placement": "event_type:header:eventType",
      "transforms.route.route.by.field": "event_type",
      "transforms.route.table.expand.json.payload": "false",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter"
    }
  }' 2>&1 | python3 -m json.tool

# 포인트 서비스
curl -s -X POST "$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "points-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "league-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.connectionTimeZone": "Asia/Seoul",
      "database.server.id": "20102",
      "topic.prefix": "dbz-points",
      "database.include.list": "points",
      "table.include.list": "points.outbox",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "_ddl-points",

      "transforms": "route",
      "transforms.route.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.route.table.field.event.id": "event_id",
      "transforms.route.table.field.event.key": "aggregate_id",
      "transforms.route.table.field.event.type": "event_type",
      "transforms.route.table.field.event.payload": "body",
      "transforms.route.route.topic.replacement": "${routedByValue}",
      "transforms.route.table.fields.additional.placement": "event_type:header:eventType",
      "transforms.route.route.by.field": "event_type",
      "transforms.route.table.expand.json.payload": "false",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter"
    }
  }' 2>&1 | python3 -m json.tool

echo "curl $CONNECT/connectors?expand=status"
