#!/bin/sh
# Prepares the database of the sawmill and its outbox connector.
set -eu

psql "$SAWMILL_ADMIN_URL" -v ON_ERROR_STOP=1 <<'SQL'
CREATE SCHEMA IF NOT EXISTS events;

-- rows live for seconds only, spare the disk
CREATE UNLOGGED TABLE IF NOT EXISTS events.outbox (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    aggregatetype varchar(60)  NOT NULL,
    aggregateid   varchar(60)  NOT NULL,
    type          varchar(100) NOT NULL,
    payload       text         NOT NULL
);

GRANT USAGE ON SCHEMA events TO sawmill_cdc;
GRANT SELECT ON events.outbox TO sawmill_cdc;
CREATE PUBLICATION sawmill_all FOR ALL TABLES;
SQL

curl -fsS -X POST "$CONNECT_URL/connectors" -H 'Content-Type: application/json' -d @- <<'JSON'
{
  "name": "sawmill-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "sawmill-pg",
    "database.port": "5432",
    "database.dbname": "sawmill",
    "database.user": "sawmill_cdc",
    "database.password": "${file:/secrets/sawmill.properties:cdc.password}",
    "topic.prefix": "sawmill",
    "plugin.name": "pgoutput",
    "slot.name": "sawmill_outbox",
    "publication.name": "sawmill_all",
    "publication.autocreate.mode": "disabled",
    "table.include.list": "events.outbox",
    "snapshot.mode": "no_data",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "sawmill.${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}
JSON
