#!/bin/sh
# Prepares the shop's database for the outbox and puts the connector. Run once per environment.
set -eu
: "${PGHOST:?}" "${PGPASSWORD:?}" "${CONNECT_URL:?}"
export PGHOST PGPASSWORD PGUSER="${PGUSER:-shop_owner}" PGDATABASE=shop

psql -v ON_ERROR_STOP=1 <<'SQL'
CREATE SCHEMA IF NOT EXISTS messaging;

-- the table that the first release had; it is still filled for the reports
CREATE TABLE IF NOT EXISTS public.outbox (
  id uuid PRIMARY KEY,
  aggregatetype text, aggregateid text, type text, payload jsonb
);

-- what the services write to since the spring
CREATE TABLE IF NOT EXISTS messaging.outbox (
  id            uuid PRIMARY KEY,
  aggregatetype text NOT NULL,
  aggregateid   text NOT NULL,
  type          text NOT NULL,
  payload       jsonb NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);

DROP PUBLICATION IF EXISTS shop_outbox_pub;
CREATE PUBLICATION shop_outbox_pub FOR TABLE outbox WITH (publish = 'insert');

GRANT USAGE ON SCHEMA messaging TO shop_cdc;
GRANT SELECT ON messaging.outbox TO shop_cdc;
SQL

curl -fsS -X PUT "$CONNECT_URL/connectors/shop-outbox/config" -H 'Content-Type: application/json' --data @- <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "shop-db.internal",
  "database.port": "5432",
  "database.user": "shop_cdc",
  "database.password": "${file:/etc/kafka-connect/shop.properties:password}",
  "database.dbname": "shop",
  "topic.prefix": "shop",
  "plugin.name": "pgoutput",
  "slot.name": "shop_outbox",
  "publication.name": "shop_outbox_pub",
  "publication.autocreate.mode": "disabled",
  "schema.include.list": "messaging",
  "table.include.list": "messaging.outbox",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.fields.additional.placement": "type:header:event_type",
  "transforms.outbox.route.topic.replacement": "shop.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
