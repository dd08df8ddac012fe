#!/bin/sh
set -e

PG_HOST="postgres"
PG_PORT="5432"
PG_USER="debezium"
PG_PASSWORD="debezium"

put_connector() {
  local base=$1
  local name=$2
  local body=$3

  local code
  code=$(curl -s -o /dev/null -w "%{http_code}" "$base/connectors/$name")
  if [ "$code" = "200" ]; then
    echo "[$name] exists, nothing to do."
  else
    echo "[$name] creating..."
    curl -sf -X POST "$base/connectors" \
      -H 'Content-Type: application/json' \
      -d "$body" \
      && echo "[$name] done." \
      || echo "[$name] could not be created, the next start tries again."
  fi
}

# ---- owner service ----------------------------------------------------------------
put_connector "http://vetcare-owner-connect:8083" "owner-outbox-connector" '{
  "name": "owner-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "vetcare_owners",
    "topic.prefix": "dbz.owners",
    "plugin.name": "pgoutput",
    "slot.name": "dbz_owners_slot",
    "publication.name": "dbz_owners_pub",
    "table.include.list": "vetcare_owners.owner_outbox",
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

# ---- visit service ----------------------------------------------------------------
put_connector "http://vetcare-visit-connect:8083" "visit-outbox-connector" '{
  "name": "visit-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "vetcare_visits",
    "topic.prefix": "dbz.visits",
    "plugin.name": "pgoutput",
    "slot.name": "dbz_visits_slot",
    "publication.name": "dbz_visits_pub",
    "table.include.list": "vetcare_visits.visit_outbox",
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

# ---- vet service ----------------------------------------------------------------
put_connector "http://vetcare-vet-connect:8083" "vet-outbox-connector" '{
  "name": "vet-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "vetcare_vets",
    "topic.prefix": "dbz.vets",
    "plugin.name": "pgoutput",
    "slot.name": "dbz_vets_slot",
    "publication.name": "dbz_vets_pub",
    "table.include.list": "vetcare_vets.service_outbox",
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

# ---- invoice service ----------------------------------------------------------------
put_connector "http://vetcare-invoice-connect:8083" "invoice-outbox-connector" '{
  "name": "invoice-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "'"$PG_HOST"'",
    "database.port": "'"$PG_PORT"'",
    "database.user": "'"$PG_USER"'",
    "database.password": "'"$PG_PASSWORD"'",
    "database.dbname": "vetcare_invoices",
    "topic.prefix": "dbz.invoices",
    "plugin.name": "pgoutput",
    "slot.name": "dbz_invoices_slot",
    "publication.name": "dbz_invoices_pub",
    "table.include.list": "vetcare_invoices.service_outbox",
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

echo "All four handled."
