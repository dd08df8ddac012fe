#!/usr/bin/env bash
# How to get the payload of the outbox as JSON and not as a string in a string (Debezium 1.6, image with the
# expandjsonsmt of RedHatInsights): that SMT only expands fields, so the payload is put into one, expanded, and taken out.
set -e
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" http://localhost:8083/connectors/ -d '{
  "name": "delivery-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "debezium",
    "database.server.id": "184054",
    "database.server.name": "delivery",
    "database.include.list": "delivery_db",
    "table.include.list": "delivery_db.outbox_event",
    "database.history.kafka.bootstrap.servers": "kafka:9092",
    "database.history.kafka.topic": "schema-changes.delivery",
    "include.schema.changes": "false",
    "tombstones.on.delete": "false",
    "transforms": "outbox,intoField,expand,outOfField",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "delivery.${routedByValue}",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.intoField.type": "org.apache.kafka.connect.transforms.HoistField$Value",
    "transforms.intoField.field": "doc",
    "transforms.expand.type": "com.redhat.insights.expandjsonsmt.ExpandJSON$Value",
    "transforms.expand.sourceFields": "doc",
    "transforms.outOfField.type": "org.apache.kafka.connect.transforms.ExtractField$Value",
    "transforms.outOfField.field": "doc",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'
