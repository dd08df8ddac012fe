#!/bin/sh
# Legt je Dienst einen Outbox-Connector an; schon vorhandene bleiben unangetastet.
set -e

PG_HOST="postgres"
PG_PORT="5432"
PG_USER="debezium"
PG_PASS="debezium"

put_connector() {
  local base=$1
  local name=$2
  local body=$3

  local code
  code=$(curl -s -o /dev/null -w "%{http_code}" "$base/connectors/$name")
  if [ "$code" = "200" ]; then
    echo "$name: gibt es schon"
  else
    curl -sf -X POST "$base/connectors" \
      -H 'Content-Type: application/json' \
      -d "$body" \
      && echo "$name: angelegt" \
      || echo "$name: Anlegen misslungen, naechster Versuch beim Neustart"
  fi
}

# --- patient ---
put_connector "http://klinik-patient-connect:8083" "patient-outbox-connector" '{
  "name": "patient-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASS"'",
    "database.dbname": "klinik_patients",
    "topic.prefix": "dbz.patients",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_patients_slot",
    "publication.name": "debezium_patients_pub",
    "table.include.list": "patients.patient_outbox",
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

# --- visit ---
put_connector "http://klinik-visit-connect:8083" "visit-outbox-connector" '{
  "name": "visit-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASS"'",
    "database.dbname": "klinik_visits",
    "topic.prefix": "dbz.visits",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_visits_slot",
    "publication.name": "debezium_visits_pub",
    "table.include.list": "visits.visit_outbox",
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

# --- staff ---
put_connector "http://klinik-staff-connect:8083" "staff-outbox-connector" '{
  "name": "staff-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASS"'",
    "database.dbname": "klinik_staff",
    "topic.prefix": "dbz.staff",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_staff_slot",
    "publication.name": "debezium_staff_pub",
    "table.include.list": "staff.service_outbox",
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

# --- billing ---
put_connector "http://klinik-billing-connect:8083" "billing-outbox-connector" '{
  "name": "billing-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASS"'",
    "database.dbname": "klinik_billing",
    "topic.prefix": "dbz.billing",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_billing_slot",
    "publication.name": "debezium_billing_pub",
    "table.include.list": "billing.service_outbox",
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

echo "Fertig."
