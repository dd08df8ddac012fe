#!/usr/bin/env bash
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

echo "Kafka Connect is starting"
until curl -sf "${CONNECT_URL}/connectors" > /dev/null 2>&1; do
  sleep 5
done

curl -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "demo-cdc",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "pipeline",
      "database.password": "pipeline",
      "database.dbname": "demo",
      "topic.prefix": "dbserver",
      "schema.include.list": "public",
      "table.include.list": "public.members,public.sales",
      "plugin.name": "pgoutput",
      "slot.name": "pipeline_slot",
      "publication.name": "pipeline_pub",
      "key.converter": "io.confluent.connect.avro.AvroConverter",
      "key.converter.schema.registry.url": "http://registry:8081",
      "value.converter": "io.confluent.connect.avro.AvroConverter",
      "value.converter.schema.registry.url": "http://registry:8081"
    }
  }'
