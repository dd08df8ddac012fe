#!/bin/bash

# Registers the outbox connector, with trace and context headers

HOST=${1:-connect}
PORT=${2:-8083}
BASE="http://${HOST}:${PORT}"

for i in {1..12}; do
    curl -sf "${BASE}/connectors" > /dev/null 2>&1 && break
    echo "no answer from Connect yet ($i/12)"
    sleep 5
done

if curl -s "${BASE}/connectors/notes-outbox" > /dev/null 2>&1; then
    echo "removing the old connector"
    curl -X DELETE "${BASE}/connectors/notes-outbox"
    sleep 2
fi

curl -X POST "${BASE}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "notes-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",

      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "notes_user",
      "database.password": "notes_password",
      "database.dbname": "notes_db",
      "database.server.name": "notes1",
      "topic.prefix": "notes1",

      "schema.include.list": "public",
      "table.include.list": "public.outbox_rows",

      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",
      "tombstones.on.delete": "false",
      "slot.name": "notes_outbox_slot",
      "publication.name": "notes_outbox_pub",

      "transforms": "outbox,trace,context",

      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.aggregate.id": "aggregate_id",
      "transforms.outbox.table.field.event.aggregate.type": "aggregate_type",
      "transforms.outbox.table.expand.json.payload": "true",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.route.topic.replacement": "note-events",
      "transforms.outbox.table.fields.additional.placement": "trace_id:envelope:trace_id,span_id:envelope:span_id,context:envelope:context,tenant_id:envelope:tenant_id",

      "transforms.trace.type": "com.example.connect.TraceHeader",
      "transforms.trace.trace.id.field": "trace_id",
      "transforms.trace.span.id.field": "span_id",
      "transforms.trace.header.name": "traceparent",

      "transforms.context.type": "com.example.connect.ContextHeaders",
      "transforms.context.context.field": "context",
      "transforms.context.header.prefix": "X-",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",

      "snapshot.mode": "never",
      "heartbeat.interval.ms": "10000"
    }
  }'

sleep 5
curl -s "${BASE}/connectors/notes-outbox/status"
