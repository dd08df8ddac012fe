#!/usr/bin/env bash
# Registers the outbox connector of the payments service (Kafka Connect 3.9, Debezium 3.1).
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://connect:8083}"

until curl -fsS "$CONNECT_URL/connectors" > /dev/null; do
  echo "waiting for Kafka Connect at $CONNECT_URL"
  sleep 3
done

curl -fsS -X POST "$CONNECT_URL/connectors" \
  -H "Accept: application/json" \
  --data @- <<'JSON'
{
  "name": "payments-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "payments-db",
    "database.port": "5432",
    "database.user": "debezium",
    "database.password": "${env:PAYMENTS_DB_PASSWORD}",
    "database.dbname": "payments",
    "topic.prefix": "payments",
    "plugin.name": "pgoutput",
    "slot.name": "payments_outbox",
    "publication.name": "payments_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "payments.${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}
JSON

curl -fsS "$CONNECT_URL/connectors/payments-outbox/status"
