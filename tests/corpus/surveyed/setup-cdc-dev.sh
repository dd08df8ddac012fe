#!/usr/bin/env bash
set -euo pipefail

HERE="$( cd "$( dirname "${BASH_SOURCE[0]}" )" &> /dev/null && pwd )"
ENV_FILE="${HERE}/.env.dev"

if [ ! -f "$ENV_FILE" ]; then
  echo "no .env.dev at $ENV_FILE"
  exit 1
fi

set -a
source "$ENV_FILE"
set +a

: "${POSTGRES_USER:?POSTGRES_USER is missing in .env.dev}"
: "${POSTGRES_PASSWORD:?POSTGRES_PASSWORD is missing in .env.dev}"
: "${POSTGRES_DB:?POSTGRES_DB is missing in .env.dev}"

PG_CONTAINER=pg_local
DEBEZIUM_USER=debezium
DEBEZIUM_PASSWORD=debezium

CONNECT_URL="http://localhost:8083"
CONNECTOR_NAME="jobtrail-outbox-connector"
SLOT_NAME="jobtrail_outbox_slot"
PUBLICATION_NAME="dbz_publication"
OUTBOX_TABLE="public.outbox_event"

echo "1/3 role and publication"

docker exec -e PGPASSWORD="${POSTGRES_PASSWORD}" -i "${PG_CONTAINER}" \
psql -U "${POSTGRES_USER}" -d "${POSTGRES_DB}" <<EOSQL

DO \$\$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${DEBEZIUM_USER}') THEN
    CREATE ROLE ${DEBEZIUM_USER} WITH LOGIN REPLICATION PASSWORD '${DEBEZIUM_PASSWORD}';
  END IF;
END
\$\$;

GRANT CONNECT ON DATABASE ${POSTGRES_DB} TO ${DEBEZIUM_USER};
GRANT USAGE ON SCHEMA public TO ${DEBEZIUM_USER};
GRANT SELECT ON TABLE ${OUTBOX_TABLE} TO ${DEBEZIUM_USER};

DO \$\$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = '${PUBLICATION_NAME}') THEN
    CREATE PUBLICATION ${PUBLICATION_NAME};
    ALTER PUBLICATION ${PUBLICATION_NAME} ADD TABLE ${OUTBOX_TABLE};
  END IF;
END
\$\$;

EOSQL

echo "2/3 wait for the worker"

until curl -s "${CONNECT_URL}/" > /dev/null; do
  sleep 2
done

echo "3/3 create or update"

CONFIG=$(cat <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "${DEBEZIUM_USER}",
  "database.password": "${DEBEZIUM_PASSWORD}",
  "database.dbname": "${POSTGRES_DB}",
  "topic.prefix": "jobtrail",
  "plugin.name": "pgoutput",
  "publication.name": "${PUBLICATION_NAME}",
  "publication.autocreate.mode": "disabled",
  "slot.name": "${SLOT_NAME}",
  "table.include.list": "${OUTBOX_TABLE}",
  "snapshot.mode": "never",
  "heartbeat.interval.ms": "10000",
  "tombstones.on.delete": "false",
  "decimal.handling.mode": "string",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "event_type",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "jobtrail.outbox.\${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
JSON
)

STATUS=$(curl -s -o /dev/null -w "%{http_code}" "${CONNECT_URL}/connectors/${CONNECTOR_NAME}")

if [ "$STATUS" -eq 200 ]; then
  curl -s -X PUT -H "Content-Type: application/json" \
    "${CONNECT_URL}/connectors/${CONNECTOR_NAME}/config" -d "${CONFIG}"
else
  curl -s -X POST -H "Content-Type: application/json" \
    "${CONNECT_URL}/connectors" -d "{\"name\": \"${CONNECTOR_NAME}\", \"config\": ${CONFIG}}"
fi
