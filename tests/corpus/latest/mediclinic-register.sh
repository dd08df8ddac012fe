#!/usr/bin/env bash
# one connect worker per service, all on the same PostgreSQL server
set -e

register() {
  local url=$1 name=$2 body=$3
  until curl -sf "$url/connectors" >/dev/null; do sleep 3; done
  curl -s -X POST "$url/connectors" -H 'Content-Type: application/json' -d "$body" \
    || echo "[$name] registration failed"
}

# ── patients ─────────────────────────────────────────────────────────────
register "http://clinic-patient-connect:8083" "patient-outbox-connector" '{
  "name": "patient-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "clinic_patients",
    "topic.prefix": "dbz.patients",
    "plugin.name": "pgoutput",
    "slot.name": "clinic_outbox_slot",
    "publication.name": "clinic_patients_pub",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.patient_outbox",
    "snapshot.mode": "initial",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.by.field": "destination",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

# ── appointments ─────────────────────────────────────────────────────────
register "http://clinic-appointment-connect:8083" "appointment-outbox-connector" '{
  "name": "appointment-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "clinic_appointments",
    "topic.prefix": "dbz.appointments",
    "plugin.name": "pgoutput",
    "slot.name": "clinic_outbox_slot",
    "publication.name": "clinic_appointments_pub",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.appointment_outbox",
    "snapshot.mode": "initial",
    "heartbeat.interval.ms": "15000",
    "heartbeat.action.query": "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.by.field": "destination",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'
