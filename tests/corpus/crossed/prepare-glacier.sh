#!/bin/sh
# Prepares the sensor database before the first deployment, then starts the connector.
set -e
: "${PGURL:?}" "${CONNECT:=http://localhost:8083}"

# keep the WAL from now on, so that nothing is missed until the connector is up
psql "$PGURL" <<'SQL'
SELECT pg_create_logical_replication_slot('glacier_cdc', 'test_decoding')
 WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE slot_name = 'glacier_cdc');
CREATE PUBLICATION glacier_cdc FOR TABLE ice.probe, ice.reading;
SQL

jq -n --arg user "$CDC_USER" --arg pw "$CDC_PASSWORD" '{
  name: "glacier-cdc",
  config: {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "glacier-db",
    "database.port": "5432",
    "database.user": $user,
    "database.password": $pw,
    "database.dbname": "glacier",
    "topic.prefix": "glacier",
    "plugin.name": "pgoutput",
    "slot.name": "glacier_cdc",
    "publication.name": "glacier_cdc",
    "publication.autocreate.mode": "disabled",
    "table.include.list": "ice.probe,ice.reading",
    "snapshot.mode": "initial"
  }
}' | curl -fsS -H 'Content-Type: application/json' -d @- "$CONNECT/connectors"
