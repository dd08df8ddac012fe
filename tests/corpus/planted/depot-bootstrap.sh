#!/bin/sh
# One-off set-up of CDC for the depot database. The role of the connector owns nothing, so the publication is made here.
set -eu

psql "$DEPOT_ADMIN_URL" <<'SQL'
CREATE TABLE IF NOT EXISTS depot.outbox (
  id            uuid PRIMARY KEY,
  aggregatetype text NOT NULL,
  aggregateid   text NOT NULL,
  type          text NOT NULL,
  payload       jsonb NOT NULL
);
DROP PUBLICATION IF EXISTS depot_cdc;
CREATE PUBLICATION depot_cdc FOR TABLE depot.shipment, depot.pallet;
GRANT USAGE ON SCHEMA depot TO depot_cdc;
GRANT SELECT ON ALL TABLES IN SCHEMA depot TO depot_cdc;
SQL

curl -fsS -X POST "$CONNECT_URL/connectors" -H 'Content-Type: application/json' -d @- <<'JSON'
{
  "name": "depot-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "depot-pg",
    "database.port": "5432",
    "database.user": "depot_cdc",
    "database.password": "${file:/etc/kafka-connect/depot.properties:cdc}",
    "database.dbname": "depot",
    "topic.prefix": "depot",
    "plugin.name": "pgoutput",
    "slot.name": "depot_outbox",
    "publication.name": "depot_cdc",
    "publication.autocreate.mode": "disabled",
    "snapshot.mode": "no_data",
    "table.include.list": "depot.outbox",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
    "transforms.outbox.route.topic.replacement": "depot.${routedByValue}"
  }
}
JSON
echo done
