#!/usr/bin/env bash
set -euo pipefail

curl -sf -X POST http://connect:8083/connectors \
  -H 'Content-Type: application/json' --data-binary @- <<'EOF'
{
  "name": "orders-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "orders-db.internal",
    "database.port": "5432",
    "database.user": "debezium",
    "database.password": "${env:ORDERS_DB_PASSWORD}",
    "database.dbname": "orders",
    "topic.prefix": "orders",
    "plugin.name": "pgoutput",
    "slot.name": "orders_outbox",
    "publication.name": "orders_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox",
    "snapshot.mode": "initial",
    "heartbeat.interval.ms": "10000",
    "heartbeat.action.query": "SELECT pg_logical_emit_message(false, 'heartbeat', now()::text)",
    "message.prefix.exclude.list": "heartbeat",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
    "transforms.outbox.route.topic.replacement": "orders.${routedByValue}.events"
  }
}
EOF
