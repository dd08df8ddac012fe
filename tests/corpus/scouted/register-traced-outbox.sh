#!/bin/bash

HOST="${CONNECT_HOST:-localhost}"
PORT="${CONNECT_PORT:-8083}"

until curl -s "http://${HOST}:${PORT}/" > /dev/null; do
  echo "Connect is not there yet"
  sleep 4
done

curl -X DELETE "http://${HOST}:${PORT}/connectors/traced-outbox" 2>/dev/null

curl -X POST "http://${HOST}:${PORT}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "traced-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",

      "database.hostname": "pg",
      "database.port": "5432",
      "database.user": "snap",
      "database.password": "password",
      "database.dbname": "snaplinks",
      "database.server.name": "snapserver1",
      "topic.prefix": "",

      "schema.include.list": "public",
      "table.include.list": "public.outbox_notes",

      "plugin.name": "pgoutput",
      "tombstones.on.delete": "false",

      "slot.name": "snap_outbox",

      "transforms": "outbox",

      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "entity_id",
      "transforms.outbox.table.field.event.type": "note_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.expand.json.payload": "true",
      "transforms.outbox.route.by.field": "note_type",
      "transforms.outbox.route.topic.replacement": "snap-notes",
      "transforms.outbox.table.fields.additional.placement": "trace_id:header,span_id:header,flags:header,account_id:header",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",

      "snapshot.mode": "never",
      "publication.autocreate.mode": "filtered"
    }
  }'

echo ""
echo "From now on the rows of outbox_notes go to the topic snap-notes, with the ids of the trace as headers."
curl -s "http://${HOST}:${PORT}/connectors/traced-outbox/status" | jq '.'
