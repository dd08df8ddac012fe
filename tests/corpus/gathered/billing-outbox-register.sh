#!/bin/bash

# not part of the bootstrap yet: call it by hand once the stack is up
curl -i -X DELETE http://localhost:8083/connectors/tally-outbox
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
localhost:8083/connectors \
-d '{
  "name": "tally-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "topic.prefix": "outbox.event",
    "database.hostname": "tally-db",
    "database.port": "5432",
    "database.dbname": "tally",
    "database.user": "tally",
    "database.password": "secret",
    "plugin.name": "pgoutput",
    "schema.include.list": "public",
    "table.include.list": "public.outbox_event",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "outbox.event.${routedByValue}",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:event_type,account_id:header:account_id"
  }
}'
