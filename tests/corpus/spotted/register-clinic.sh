#!/bin/sh
set -e

PG_HOST="clinic-pg"
PG_PORT="5432"
PG_USER="debezium"
PG_PASSWORD="debezium"

add() {
  code=$(curl -s -o /dev/null -w "%{http_code}" "$1/connectors/$2")
  if [ "$code" = "200" ]; then
    echo "[$2] there already."
    return
  fi
  curl -sf -X POST "$1/connectors" -H 'Content-Type: application/json' -d "$3" \
    && echo "[$2] added." \
    || echo "[$2] not added, the next start tries again."
}

# ---- patients
add "http://clinic-patient-connect:8083" "patient-letters" '{
  "name": "patient-letters",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "clinic_patients",
    "topic.prefix": "cdc.patients",
    "plugin.name": "pgoutput",
    "slot.name": "clinic_patients_slot",
    "publication.name": "clinic_patients_pub",
    "table.include.list": "clinic_patients.letters",
    "snapshot.mode": "initial",
    "transforms": "letters",
    "transforms.letters.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.letters.table.field.event.id": "id",
    "transforms.letters.table.field.event.key": "patient_no",
    "transforms.letters.table.field.event.type": "letter_kind",
    "transforms.letters.table.field.event.payload": "content",
    "transforms.letters.route.by.field": "addressee",
    "transforms.letters.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

# ---- visits
add "http://clinic-visit-connect:8083" "visit-letters" '{
  "name": "visit-letters",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "clinic_visits",
    "topic.prefix": "cdc.visits",
    "plugin.name": "pgoutput",
    "slot.name": "clinic_visits_slot",
    "publication.name": "clinic_visits_pub",
    "table.include.list": "clinic_visits.letters",
    "snapshot.mode": "initial",
    "transforms": "letters",
    "transforms.letters.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.letters.table.field.event.id": "id",
    "transforms.letters.table.field.event.key": "visit_no",
    "transforms.letters.table.field.event.type": "letter_kind",
    "transforms.letters.table.field.event.payload": "content",
    "transforms.letters.route.by.field": "addressee",
    "transforms.letters.route.topic.replacement": "${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'
