#!/bin/sh

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
  "name": "toy-mysql-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "toy-mysql",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "root",
    "database.server.id": 7,
    "topic.prefix": "toy-binlog-1",
    "database.include.list": "toys",
    "table.include.list": "toys.outbox",
    "tombstones.on.delete" : "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms" : "outbox",
    "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload_json",
    "transforms.outbox.table.json.payload.null.behavior": "ignore",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement" : "${routedByValue}.events",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "schema.history.internal.kafka.bootstrap.servers": "toy-kafka:29092",
    "schema.history.internal.kafka.topic": "ddl.toys"
  }
}'
