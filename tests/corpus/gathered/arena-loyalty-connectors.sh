#!/bin/bash
# Registers the CDC connectors of the arena and the loyalty service with Kafka Connect.

CONNECT="http://localhost:8083"

echo ">> waiting for Kafka Connect"
until curl -s "$CONNECT/" > /dev/null 2>&1; do
  sleep 2
done

# arena service
echo ">> arena-outbox"
curl -s -X POST "$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "arena-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "village-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.connectionTimeZone": "Asia/Seoul",
      "database.server.id": "20001",
      "topic.prefix": "cdc-arena",
      "database.include.list": "arena",
      "table.include.list": "arena.outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "_history-arena",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.timestamp": "created_at",
      "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
      "transforms.outbox.table.expand.json.payload": "false",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.route.topic.replacement": "${routedByValue}"
    }
  }' 2>&1 | python3 -m json.tool

echo ""

# loyalty service
echo ">> loyalty-outbox"
curl -s -X POST "$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "loyalty-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "village-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.connectionTimeZone": "Asia/Seoul",
      "database.server.id": "20002",
      "topic.prefix": "cdc-loyalty",
      "database.include.list": "loyalty",
      "table.include.list": "loyalty.outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "_history-loyalty",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.timestamp": "created_at",
      "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
      "transforms.outbox.table.expand.json.payload": "false",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.route.topic.replacement": "${routedByValue}"
    }
  }' 2>&1 | python3 -m json.tool

echo ""
echo ">> done, see $CONNECT/connectors?expand=status"
