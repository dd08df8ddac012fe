#!/bin/sh
set -e

DB_HOST="pg-main"
DB_PORT="5432"
DB_USER="cdc"
DB_PASSWORD="cdc"

register() {
  local connect_url=$1
  local name=$2
  local json=$3

  local status
  status=$(curl -s -o /dev/null -w "%{http_code}" "$connect_url/connectors/$name")
  if [ "$status" = "200" ]; then
    echo "[$name] is there already, nothing to do."
  else
    echo "[$name] is being registered..."
    curl -sf -X POST "$connect_url/connectors" \
      -H 'Content-Type: application/json' \
      -d "$json" \
      && echo "[$name] done." \
      || echo "[$name] WARNING: not registered, the next restart tries again."
  fi
}

# -- patients ----------------------------------------------------------------
register "http://ward-patient-connect:8083" "patient-outbox-connector" '{
  "name": "patient-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$DB_HOST"'",
    "database.port": "'"$DB_PORT"'",
    "database.user": "'"$DB_USER"'",
    "database.password": "'"$DB_PASSWORD"'",
    "database.dbname": "ward_patients",
    "topic.prefix": "cdc.patients",
    "plugin.name": "pgoutput",
    "slot.name": "cdc_patients_slot",
    "publication.name": "cdc_patients_pub",
    "table.include.list": "ward_patients.patient_outbox",
    "snapshot.mode": "initial",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "target",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

# -- beds --------------------------------------------------------------------
register "http://ward-bed-connect:8083" "bed-outbox-connector" '{
  "name": "bed-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$DB_HOST"'",
    "database.port": "'"$DB_PORT"'",
    "database.user": "'"$DB_USER"'",
    "database.password": "'"$DB_PASSWORD"'",
    "database.dbname": "ward_beds",
    "topic.prefix": "cdc.beds",
    "plugin.name": "pgoutput",
    "slot.name": "cdc_beds_slot",
    "publication.name": "cdc_beds_pub",
    "table.include.list": "ward_beds.bed_outbox",
    "snapshot.mode": "initial",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "target",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

echo "Done with all connectors."
