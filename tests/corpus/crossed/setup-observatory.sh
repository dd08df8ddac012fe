#!/usr/bin/env bash
# The DBA owns the publication; the connector may only read.
set -euo pipefail

psql "$OBSERVATORY_DSN" -v ON_ERROR_STOP=1 <<'SQL'
CREATE TABLE IF NOT EXISTS sky.outbox (
  id            uuid PRIMARY KEY,
  aggregatetype text NOT NULL,
  aggregateid   text NOT NULL,
  payload       text NOT NULL
);
-- inserts only: updates and the nightly delete need not travel
CREATE PUBLICATION sky_events FOR TABLE sky.outbox WITH (publish = 'insert');
SQL

curl -fsS -X PUT -H 'Content-Type: application/json' \
  "$CONNECT/connectors/sky-events/config" -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "sky-db",
  "database.port": "5432",
  "database.user": "${env:SKY_USER}",
  "database.password": "${env:SKY_PASSWORD}",
  "database.dbname": "sky",
  "topic.prefix": "sky",
  "plugin.name": "pgoutput",
  "slot.name": "sky_events",
  "slot.max.retries": "20",
  "slot.retry.delay.ms": "15000",
  "publication.name": "sky_events",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "sky.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "sky.${routedByValue}.events",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
