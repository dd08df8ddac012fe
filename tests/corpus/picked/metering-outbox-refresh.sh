#!/bin/bash
# Drop and re-create the connector, to be started by hand after the stack is up.
# Rows of billing_outbox carry a serialized protobuf message in a bytea column.

CONFIG='{
  "name": "metering-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "metering-db",
    "database.port": "5432",
    "database.user": "metering",
    "database.password": "secret",
    "database.dbname": "metering",
    "schema.include.list": "public",
    "table.include.list": "public.billing_outbox",
    "topic.prefix": "metering.cdc",
    "slot.name": "metering_outbox",
    "publication.autocreate.mode": "filtered",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "event_type:header,tenant_id:header,local_id:header",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "metering.${routedByValue}"
  }
}'

curl -i -X DELETE http://localhost:8083/connectors/metering-outbox
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
  -d @- http://localhost:8083/connectors <<< "$CONFIG"
