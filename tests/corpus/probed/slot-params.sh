#!/bin/sh
# greenhouse: moved from wal2json to pgoutput in May
set -eu
: "${GH_PASSWORD:?}"

curl -fsS -X PUT -H 'Content-Type: application/json' \
  "$CONNECT/connectors/greenhouse/config" --data-binary @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "gh-db",
  "database.port": "5432",
  "database.user": "gh_cdc",
  "database.password": "${GH_PASSWORD}",
  "database.dbname": "greenhouse",
  "topic.prefix": "greenhouse",
  "slot.name": "greenhouse_pgo",
  "slot.stream.params": "add-tables=climate.readings,climate.actions;filter-tables=climate.debug",
  "publication.autocreate.mode": "filtered",
  "hstore.handling.mode": "json",
  "interval.handling.mode": "string",
  "heartbeat.interval.ms": "60000",
  "table.include.list": "climate.readings,climate.actions"
}
JSON
