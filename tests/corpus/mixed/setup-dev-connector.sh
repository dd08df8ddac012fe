#!/usr/bin/env bash
set -euo pipefail

SCRIPT_DIR="$( cd "$( dirname "${BASH_SOURCE[0]}" )" &> /dev/null && pwd )"
ENV_FILE="${SCRIPT_DIR}/.env.dev"

if [ ! -f "$ENV_FILE" ]; then
  echo ".env.dev 가 없습니다: $ENV_FILE"
  exit 1
fi

set -a
source "$ENV_FILE"
set +a

: "${POSTGRES_PASSWORD:?POSTGRES_PASSWORD is not set}"
: "${POSTGRES_USER:?POSTGRES_USER is not set}"
: "${POSTGRES_DB:?POSTGRES_DB is not set}"

POSTGRES_CONTAINER=pg_jobboard_dev
DEBEZIUM_USER=debezium
DEBEZIUM_PASSWORD=jobboard-cdc

CONNECT_URL="http://localhost:8083"
CONNECTOR_NAME="jobboard-outbox-connector"
SLOT_NAME="jobboard_outbox_slot"
PUBLICATION_NAME="jobboard_publication"
OUTBOX_TABLE="public.outbox_event"

echo "[1/3] role & publication"

docker exec -e PGPASSWORD="${POSTGRES_PASSWORD}" -i ${POSTGRES_CONTAINER} \
psql -U "${POSTGRES_USER}" -d "${POSTGRES_DB}" <<SQL
DO \$\$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${DEBEZIUM_USER}') THEN
    CREATE ROLE ${DEBEZIUM_USER} WITH LOGIN REPLICATION PASSWORD '${DEBEZIUM_PASSWORD}';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_publication WHERE pubname = '${PUBLICATION_NAME}') THEN
    CREATE PUBLICATION ${PUBLICATION_NAME} FOR TABLE ${OUTBOX_TABLE};
  END IF;
END
\$\$;
GRANT CONNECT ON DATABASE ${POSTGRES_DB} TO ${DEBEZIUM_USER};
GRANT USAGE ON SCHEMA public TO ${DEBEZIUM_USER};
GRANT SELECT ON TABLE ${OUTBOX_TABLE} TO ${DEBEZIUM_USER};
SQL

echo "[2/3] waiting for Kafka Connect"
until curl -s ${CONNECT_URL}/ > /dev/null; do
  sleep 2
done

echo "[3/3] connector"

CONNECTOR_CONFIG=$(cat <<JSON
{
  "name": "${CONNECTOR_NAME}",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "${DEBEZIUM_USER}",
    "database.password": "${DEBEZIUM_PASSWORD}",
    "database.dbname": "${POSTGRES_DB}",

    "topic.prefix": "jobboard",

    "plugin.name": "pgoutput",
    "slot.name": "${SLOT_NAME}",
    "publication.name": "${PUBLICATION_NAME}",
    "publication.autocreate.mode": "disabled",

    "table.include.list": "${OUTBOX_TABLE}",
    "snapshot.mode": "never",

    "tombstones.on.delete": "false",
    "decimal.handling.mode": "string",

    "heartbeat.interval.ms": "10000",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "jobboard.outbox.\${routedByValue}",

    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}
JSON
)

HTTP_STATUS=$(curl -s -o /dev/null -w "%{http_code}" ${CONNECT_URL}/connectors/${CONNECTOR_NAME})

if [ "$HTTP_STATUS" -eq 200 ]; then
  curl -s -X PUT -H "Content-Type: application/json" \
    ${CONNECT_URL}/connectors/${CONNECTOR_NAME}/config \
    -d "$(echo ${CONNECTOR_CONFIG} | jq '.config')"
else
  curl -s -X POST -H "Content-Type: application/json" \
    ${CONNECT_URL}/connectors -d "${CONNECTOR_CONFIG}"
fi
