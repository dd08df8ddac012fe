#!/usr/bin/env bash
# Publishes final results only; deletes always pass.
set -euo pipefail

config=$(jq -n --arg pw "$RACE_DB_PASSWORD" '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "race-db",
  "database.port": "5432",
  "database.user": "race_cdc",
  "database.password": $pw,
  "database.dbname": "race",
  "topic.prefix": "race",
  "slot.name": "race_final",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.results",
  "heartbeat.interval.ms": "20000",
  "transforms": "final",
  "transforms.final.type": "io.debezium.transforms.Filter",
  "transforms.final.topic.regex": "race\\.public\\.results",
  "transforms.final.language": "jsr223.groovy",
  "transforms.final.condition": "value.op == \"d\" || value.after.state == \"FINAL\"",
  "transforms.final.null.handling.mode": "keep"
}')

curl -fsS -X PUT -H "Content-Type: application/json" -d "$config" "$CONNECT_URL/connectors/race-final/config"
