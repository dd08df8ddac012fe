#!/usr/bin/env bash
# Sink of the reporting database: all tables of the shop, one table per topic.
set -euo pipefail

: "${CONNECT:=http://connect.data.svc:8083}"
: "${REPORTING_PASSWORD:?set REPORTING_PASSWORD}"

jq -n --arg pw "$REPORTING_PASSWORD" '{
  "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
  "tasks.max": "3",
  "topics.regex": "shop\\.public\\..*",
  "connection.url": "jdbc:postgresql://reporting:5432/reporting",
  "connection.username": "sink",
  "connection.password": $pw,
  "insert.mode": "upsert",
  "delete.enabled": "true",
  "primary.key.mode": "record_key",
  "schema.evolution": "basic",
  "collection.name.format": "stage_${source.table}",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "true",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "true",
  "errors.retry.timeout": "120000",
  "errors.deadletterqueue.topic.name": "shop.public.dlq",
  "errors.deadletterqueue.topic.replication.factor": "3",
  "errors.deadletterqueue.context.headers.enable": "true"
}' > /tmp/reporting-sink.json

curl -fsS -X PUT "$CONNECT/connectors/reporting-sink/config" \
  -H 'Content-Type: application/json' \
  --data @/tmp/reporting-sink.json | jq .name

curl -fsS "$CONNECT/connectors/reporting-sink/status" | jq -r '.connector.state'
