#!/bin/bash

echo "waiting for Connect"
until curl -s -f http://localhost:8083/connectors > /dev/null; do
  sleep 3
done

curl -s -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "parcel-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "parcel-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.connectionTimeZone": "Asia/Seoul",
      "database.server.id": "21001",
      "topic.prefix": "parcel",
      "database.include.list": "parcel",
      "table.include.list": "parcel.outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
      "schema.history.internal.kafka.topic": "schema-changes.parcel",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.timestamp": "created_at",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.table.expand.json.payload": "false",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter"
    }
  }' 2>&1 | python3 -m json.tool

curl -s -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "courier-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "courier-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "1234",
      "database.connectionTimeZone": "Asia/Seoul",
      "database.server.id": "21002",
      "topic.prefix": "courier",
      "database.include.list": "courier",
      "table.include.list": "courier.outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
      "schema.history.internal.kafka.topic": "schema-changes.courier",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "event_id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.timestamp": "created_at",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.table.expand.json.payload": "false",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.storage.StringConverter"
    }
  }' 2>&1 | python3 -m json.tool
