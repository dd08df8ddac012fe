#!/bin/bash

# not part of the bootstrap yet, start it by hand
curl -i -X DELETE http://localhost:8083/connectors/events-outbox
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
localhost:8083/connectors \
-d '{
  "name": "events-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "billing-db",
    "database.port": "5432",
    "database.user": "billing",
    "database.password": "secret",
    "database.dbname": "billing",
    "schema.include.list": "public",
    "table.include.list": "public.outbox_event",
    "topic.prefix": "outbox.event",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "outbox.event.${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:event_type,tenant_id:header:tenant_id",
    "transforms.outbox.table.expand.json.payload": "true"
  }
}'
