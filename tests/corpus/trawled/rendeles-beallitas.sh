#!/usr/bin/env bash
set -euo pipefail

PG_CONTAINER="postgres"
DB_NAME="foglalas"
DBZ_USER="debezium"
DBZ_PASS="dbz"
OUTBOX_TABLE="public.foglalas_outbox"
PUBLICATION_NAME="foglalas_publication"
SLOT_NAME="foglalas_slot"
CONNECT_URL="http://localhost:8083"
CONNECTOR_NAME="foglalas-connector"
# a Connect kontenerbol igy erheto el a host
PG_HOST_FROM_CONNECT="host.docker.internal"

### 1) tabla
docker exec -i "$PG_CONTAINER" psql -U postgres -d "$DB_NAME" <<'EOSQL'
CREATE TABLE IF NOT EXISTS public.foglalas_outbox (
  id            UUID PRIMARY KEY,
  aggregate_id  UUID         NOT NULL,
  occurred_at   TIMESTAMPTZ  NOT NULL DEFAULT now(),
  payload       TEXT         NOT NULL,
  type          VARCHAR(255) NOT NULL
);
-- az SMT-hez ajanlott oszlop
ALTER TABLE public.foglalas_outbox
  ADD COLUMN IF NOT EXISTS aggregate_type VARCHAR(255) NOT NULL DEFAULT 'Foglalas';
EOSQL

### 2) publikacio
docker exec -i "$PG_CONTAINER" psql -U postgres -d "$DB_NAME" \
  -c "CREATE PUBLICATION $PUBLICATION_NAME FOR TABLE $OUTBOX_TABLE;"

### 3) connector
CFG=$(cat <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",

  "database.hostname": "$PG_HOST_FROM_CONNECT",
  "database.port": "5432",
  "database.user": "$DBZ_USER",
  "database.password": "$DBZ_PASS",
  "database.dbname": "$DB_NAME",

  "topic.prefix": "foglalasdb",
  "slot.name": "$SLOT_NAME",
  "plugin.name": "pgoutput",

  "publication.name": "$PUBLICATION_NAME",
  "publication.autocreate.mode": "disabled",

  "schema.include.list": "public",
  "table.include.list": "$OUTBOX_TABLE",
  "tombstones.on.delete": "false",

  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "foglalasok.\$r",

  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "type",
  "transforms.outbox.table.field.event.aggregate.type": "aggregate_type",
  "transforms.outbox.table.field.payload": "payload",

  "transforms.outbox.table.fields.additional.placement": "type:header:eventType,aggregate_id:header:aggregateId,aggregate_type:header:aggregateType",
  "transforms.outbox.table.expand.headers": "true",

  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter.schemas.enable": "false"
}
JSON
)

curl -s -X PUT "$CONNECT_URL/connectors/$CONNECTOR_NAME/config" \
  -H 'Content-Type: application/json' \
  -d "$CFG" >/dev/null

echo "Kesz. Kuldj egy foglalast, aztan nezd a 'foglalasok.FoglalasLetrejott' topikot."
