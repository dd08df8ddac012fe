#!/bin/bash
# Registers the outbox connector; trace columns travel as headers.

HOST=${1:-localhost}
PORT=${2:-8083}
BASE="http://${HOST}:${PORT}/connectors"

until curl -sf "$BASE" > /dev/null; do
  echo "Connect is not up yet"
  sleep 4
done

# start from nothing
if curl -sf "$BASE/shortlink-outbox" > /dev/null; then
  curl -s -X DELETE "$BASE/shortlink-outbox"
  sleep 2
fi

curl -X POST "$BASE" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "shortlink-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",

      "database.hostname": "links-db",
      "database.port": "5432",
      "database.user": "links",
      "database.password": "password",
      "database.dbname": "links",
      "database.server.name": "links1",
      "topic.prefix": "",

      "schema.include.list": "public",
      "table.include.list": "public.outbox_events",

      "plugin.name": "pgoutput",
      "tombstones.on.delete": "false",
      "slot.name": "shortlink_outbox",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.expand.json.payload": "true",
      "transforms.outbox.route.by.field": "event_type",
      "transforms.outbox.route.topic.replacement": "shortlink-events",
      "transforms.outbox.table.fields.additional.placement": "trace_id:header,parent_span_id:header,trace_flags:header,tenant_id:header",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",

      "snapshot.mode": "never",
      "publication.autocreate.mode": "filtered"
    }
  }'

sleep 5
curl -s "$BASE/shortlink-outbox/status" | jq .
echo "registered: rows of outbox_events go to shortlink-events with their trace context"
