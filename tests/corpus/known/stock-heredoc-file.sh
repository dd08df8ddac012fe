#!/usr/bin/env bash
set -euo pipefail
source .env
TMP=$(mktemp)
cat > "$TMP" <<EOF
{
  "name": "stock-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "${STOCK_DB_HOST}",
    "database.port": "5432",
    "database.user": "${STOCK_DB_USER}",
    "database.password": "${STOCK_DB_PASSWORD}",
    "database.dbname": "stock",
    "topic.prefix": "stock",
    "plugin.name": "pgoutput",
    "slot.name": "stock_outbox",
    "publication.name": "stock_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox",
    "snapshot.mode": "no_data",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "${routedByValue}.events",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}
EOF
curl -fsS -X POST http://localhost:8083/connectors -H "Content-Type: application/json" -d @"$TMP"
rm -f "$TMP"
