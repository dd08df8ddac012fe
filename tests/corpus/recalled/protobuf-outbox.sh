#!/bin/sh
# The payload column is BYTEA and already holds the Confluent-framed protobuf message,
# so nothing must be added around it.

curl -X DELETE http://localhost:8083/connectors/inventory-pb-outbox
sleep 2

curl -s -X POST http://localhost:8083/connectors -H 'Content-Type: application/json' -d '
{
  "name": "inventory-pb-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "slot.name": "inventory_pb",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "mysecretpassword",
    "database.dbname": "inventory",
    "database.server.name": "inventory",
    "table.include.list": "public.outbox_protobuf",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "io.debezium.converters.ByteBufferConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "message_type:header:messageType",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "inventory.protobuf.${routedByValue}"
  }
}' | jq .
