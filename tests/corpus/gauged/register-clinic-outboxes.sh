#!/bin/sh
set -e

PG_HOST="postgres"
PG_PORT="5432"
PG_USER="debezium"
PG_PASSWORD="debezium"

add() {
  local base=$1
  local name=$2
  local body=$3
  local code
  code=$(curl -s -o /dev/null -w "%{http_code}" "$base/connectors/$name")
  if [ "$code" = "200" ]; then
    echo "$name: there already"
  else
    curl -sf -X POST "$base/connectors" -H 'Content-Type: application/json' -d "$body" \
      && echo "$name: added" \
      || echo "$name: not added, next start tries again"
  fi
}

# patients
add "http://hospi-patient-connect:8083" "patient-outbox-connector" '{
  "name": "patient-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "hospi_patients",
    "topic.prefix": "dbz.patients",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_patients_slot",
    "publication.name": "debezium_patients_pub",
    "table.include.list": "hospi_patients.patient_outbox",
    "snapshot.mode": "initial",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "destination",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

# visits
add "http://hospi-visit-connect:8083" "visit-outbox-connector" '{
  "name": "visit-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "hospi_visits",
    "topic.prefix": "dbz.visits",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_visits_slot",
    "publication.name": "debezium_visits_pub",
    "table.include.list": "hospi_visits.visit_outbox",
    "snapshot.mode": "initial",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "destination",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'
