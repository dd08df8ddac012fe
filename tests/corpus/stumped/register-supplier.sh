#!/usr/bin/env bash
# We moved from a registry of our own to a hosted one. Since then the source says
#   "Snowflake converter doesn't support data source connector yet"
# though nothing of Snowflake has to do with this step, only with the sink behind it.
set -euo pipefail
: "${CONNECT:=http://connect-postgres:8083}"
: "${REGISTRY:?}"
: "${DB_PASSWORD:?}"

curl -fsS -X PUT -H 'Content-Type: application/json' "$CONNECT/connectors/svc-supplier-source/config" -d @- <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "supplier-db",
  "database.port": "5432",
  "database.user": "cdc",
  "database.password": "$DB_PASSWORD",
  "database.dbname": "supplier",
  "topic.prefix": "svc-supplier",
  "plugin.name": "pgoutput",
  "slot.name": "supplier_cdc",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.suppliers,public.contracts",
  "schema.name.adjustment.mode": "avro",
  "key.converter": "io.confluent.connect.avro.AvroConverter",
  "key.converter.schema.registry.url": "$REGISTRY",
  "value.converter": "com.snowflake.kafka.connector.records.SnowflakeAvroConverter",
  "value.converter.schema.registry.url": "$REGISTRY"
}
JSON
