#!/bin/sh

if [ "$(hostname)" = "devbox" ]; then
  CONNECTHOST=connect
else
  CONNECTHOST=localhost
fi

curl -X PUT "http://$CONNECTHOST:8083/connectors/offer-outbox/config" -H 'Content-Type: application/json' -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "database.hostname": "offers-db",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "password",
  "database.dbname": "offers",
  "topic.prefix": "offers",
  "table.include.list": "public.outbox",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.fields.additional.placement": "aggregate_id:partition",
  "transforms.outbox.table.fields.additional.placement": "event_id:header:EventID,event_type:header:EventType,created_at:header:CreatedAt,custom_headers:header:CustomHeaders",
  "transforms.outbox.table.expand.json.payload": true,
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "transforms.outbox.table.op.invalid.behavior": "error",
  "transforms.outbox.route.topic.replacement": "Offer.event.${routedByValue}",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.tombstone.on.empty.payload": true
}'
