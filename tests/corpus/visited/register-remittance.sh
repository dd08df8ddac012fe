#!/bin/bash

echo "Connect is starting, hold on..."
until curl -s http://localhost:8083/connectors > /dev/null; do
  sleep 2
done

curl -X POST http://localhost:8083/connectors -H "Content-Type: application/json" -d '{
  "name": "remittance-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "ep-quiet-meadow-b2xk71wq.eu-central-1.aws.neon.tech",
    "database.port": "5432",
    "database.user": "remit_owner",
    "database.password": "npg_4hXbTqeLs0VW",
    "database.dbname": "remitdb",
    "plugin.name": "pgoutput",
    "slot.name": "remit_slot",
    "publication.name": "remittance_publication",
    "table.include.list": "public.outbox_events",
    "topic.prefix": "no-lost-message",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.topic.replacement": "remittances.created",
    "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'
