#!/usr/bin/env bash
# registers the relays of the ordering and the refund module (one database, two schemas)
set -euo pipefail

CONNECT=${1:-http://localhost:8083}

register() {
  local name=$1
  echo "-> $name"
  curl -fsS -X PUT "$CONNECT/connectors/$name/config" \
    -H "Content-Type: application/json" --data @-
  echo
}

register ordering-outbox <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "shop-pg",
  "database.port": "5432",
  "database.user": "shop_cdc",
  "database.password": "${file:/run/secrets/shop-pg.properties:password}",
  "database.dbname": "shop",
  "topic.prefix": "shop.ordering",
  "plugin.name": "pgoutput",
  "slot.name": "shop_outbox",
  "publication.name": "shop_outbox",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "ordering.outbox_event",
  "snapshot.mode": "initial",
  "heartbeat.interval.ms": "10000",
  "heartbeat.action.query": "SELECT pg_logical_emit_message(false, 'heartbeat', now()::varchar)",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "shop.${routedByValue}.events",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON

register refund-outbox <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "shop-pg",
  "database.port": "5432",
  "database.user": "shop_cdc",
  "database.password": "${file:/run/secrets/shop-pg.properties:password}",
  "database.dbname": "shop",
  "topic.prefix": "shop.refund",
  "plugin.name": "pgoutput",
  "slot.name": "shop_outbox",
  "publication.name": "shop_outbox",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "refund.outbox_event",
  "snapshot.mode": "initial",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "shop.${routedByValue}.events",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
