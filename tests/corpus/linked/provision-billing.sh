#!/usr/bin/env bash
# Outbox of the billing service: database objects, slot and connector in one go.
set -euo pipefail
source ./env.sh        # PGHOST PGUSER PGPASSWORD CDC_PASSWORD CONNECT

psql -d billing -v ON_ERROR_STOP=1 <<SQL
DO \$\$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'billing_cdc') THEN
    CREATE ROLE billing_cdc LOGIN REPLICATION PASSWORD '${CDC_PASSWORD}';
  END IF;
END
\$\$;
CREATE SCHEMA IF NOT EXISTS messaging;
CREATE TABLE IF NOT EXISTS messaging."OutboxMessages" (
  "Id" uuid PRIMARY KEY,
  "AggregateType" text NOT NULL,
  "AggregateId" text NOT NULL,
  "Type" text NOT NULL,
  "Payload" text NOT NULL
);
GRANT USAGE ON SCHEMA messaging TO billing_cdc;
GRANT SELECT ON messaging."OutboxMessages" TO billing_cdc;
DROP PUBLICATION IF EXISTS billing_outbox;
CREATE PUBLICATION billing_outbox FOR TABLE messaging."OutboxMessages" WITH (publish = 'insert');
SELECT pg_create_logical_replication_slot('billing_outbox', 'pgoutput')
 WHERE NOT EXISTS (SELECT 1 FROM pg_replication_slots WHERE slot_name = 'billing_outbox');
SQL

# the service is new, there is nothing to snapshot
curl -fsS -X PUT "${CONNECT}/connectors/billing-outbox/config" -H 'Content-Type: application/json' -d @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "${PGHOST}",
  "database.port": "5432",
  "database.user": "billing_cdc",
  "database.password": "${CDC_PASSWORD}",
  "database.dbname": "billing",
  "topic.prefix": "billing",
  "plugin.name": "pgoutput",
  "slot.name": "billing_outbox",
  "publication.name": "billing_outbox",
  "publication.autocreate.mode": "disabled",
  "snapshot.mode": "no_data",
  "table.include.list": "messaging.OutboxMessages",
  "transforms": "outbox,strip",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "Id",
  "transforms.outbox.table.field.event.key": "AggregateId",
  "transforms.outbox.table.field.event.payload": "Payload",
  "transforms.outbox.route.by.field": "AggregateType",
  "transforms.outbox.table.fields.additional.placement": "Type:header:eventType",
  "transforms.outbox.route.topic.replacement": "raw.billing.\${routedByValue}",
  "transforms.strip.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.strip.regex": "raw\\\\.(.*)",
  "transforms.strip.replacement": "\$1",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
