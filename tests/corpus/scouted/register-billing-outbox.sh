#!/bin/bash

## For the time being started by hand after the bootstrap
curl -i -X DELETE http://localhost:8083/connectors/billing-outbox
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
localhost:8083/connectors \
-d '{
  "name": "billing-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "billing-db",
    "database.port": "5432",
    "database.user": "billing",
    "database.password": "secret",
    "database.dbname": "billing",
    "schema.include.list": "public",
    "table.include.list": "public.outbox_record",
    "topic.prefix": "billing.outbox",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "plugin.name": "pgoutput",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.table.fields.additional.placement": "record_type:header:record_type,account_id:header:account_id",
    "transforms.outbox.route.topic.replacement": "billing.outbox.${routedByValue}",
    "transforms.outbox.table.field.event.key": "entity_id",
    "transforms.outbox.route.by.field": "entity_type",
    "transforms.outbox.table.field.event.timestamp": "recorded_at"
  }
}'
