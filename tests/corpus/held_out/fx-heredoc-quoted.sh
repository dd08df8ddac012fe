#!/bin/sh
# idempotent: PUT creates or updates
CONNECT=${CONNECT:-http://connect:8083}
curl -sf -X PUT "$CONNECT/connectors/fx-outbox/config" \
  -H 'Content-Type: application/json' -d @- <<'EOF'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "fx-db",
  "database.port": "5432",
  "database.user": "fx_cdc",
  "database.password": "${file:/run/secrets/fx.properties:password}",
  "database.dbname": "fx",
  "topic.prefix": "fx",
  "plugin.name": "pgoutput",
  "slot.name": "fx_outbox",
  "publication.name": "fx_outbox",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox_event,public.cdc_heartbeat",
  "snapshot.mode": "no_data",
  "heartbeat.interval.ms": "10000",
  "heartbeat.action.query": "INSERT INTO public.cdc_heartbeat (at) VALUES (now())",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.timestamp": "created_at",
  "transforms.outbox.table.fields.additional.placement": "event_type:headers:eventType",
  "transforms.outbox.route.by.field": "topic_name",
  "transforms.outbox.route.topic.replacement": "${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
