#!/bin/bash
# Asks for the database and registers a connector for it (postgres or oracle).
set -u
ENGINE=$(whiptail --menu "Engine" 12 50 2 postgres "" oracle "" 3>&1 1>&2 2>&3)
PICKED_DB=$(whiptail --inputbox "Database" 8 50 3>&1 1>&2 2>&3)
PICKED_TABLES=$(whiptail --inputbox "Tables, with schema, comma separated" 8 60 3>&1 1>&2 2>&3)
HOST_TAG=$(hostname | tr -c 'a-zA-Z0-9\n' '_')

if [ "$ENGINE" = "postgres" ]; then
    psql "$ADMIN_DSN" -c "CREATE PUBLICATION agent_pub FOR TABLE ${PICKED_TABLES}"
    BODY=$(cat <<JSON
{
  "name": "${PICKED_DB}-agent",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "${SRC_HOST}",
    "database.port": "${SRC_PORT}",
    "database.user": "${SRC_USER}",
    "database.password": "${SRC_PASS}",
    "database.dbname": "${PICKED_DB}",
    "topic.prefix": "${HOST_TAG}_${PICKED_DB}",
    "table.include.list": "${PICKED_TABLES}",
    "plugin.name": "pgoutput",
    "publication.name": "agent_pub",
    "publication.autocreate.mode": "disabled",
    "transforms": "flat",
    "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.flat.drop.tombstones": "false",
    "transforms.flat.delete.handling.mode": "rewrite",
    "transforms.flat.add.fields": "op,table,ts_ms"
  }
}
JSON
)
else
    PDB_LINE=""
    [ -n "${ORA_PDB:-}" ] && PDB_LINE="\"database.pdb.name\": \"${ORA_PDB}\","
    UPPER=$(echo "$SRC_USER" | tr '[:lower:]' '[:upper:]')
    BODY=$(cat <<JSON
{
  "name": "${PICKED_DB}-agent",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "${SRC_HOST}",
    "database.port": "${SRC_PORT}",
    "database.user": "${SRC_USER}",
    "database.password": "${SRC_PASS}",
    "database.dbname": "${PICKED_DB}",
    ${PDB_LINE}
    "topic.prefix": "${HOST_TAG}_${PICKED_DB}",
    "schema.include.list": "${UPPER},${SRC_USER}",
    "table.include.list": "${PICKED_TABLES}",
    "database.tablename.case.insensitive": "false",
    "schema.history.internal.kafka.bootstrap.servers": "broker:9092",
    "schema.history.internal.kafka.topic": "ddl.${HOST_TAG}.${PICKED_DB}"
  }
}
JSON
)
fi
curl -sS -X POST -H 'Content-Type: application/json' --data "$BODY" http://connect:8083/connectors
