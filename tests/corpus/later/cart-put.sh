#!/usr/bin/env bash
# (re)configures the relay of the cart service; safe to run on every deploy
set -e
CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

until curl -sf "$CONNECT_URL/connectors" > /dev/null; do
  echo "Kafka Connect is not up yet ..."
  sleep 3
done

curl -sS -X PUT "$CONNECT_URL/connectors/cart-relay/config" \
  -H 'Content-Type: application/json' \
  -d @- <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "cart-db",
  "database.port": "5432",
  "database.user": "cart_cdc",
  "database.password": "${CART_DB_PASSWORD}",
  "database.dbname": "cart",
  "topic.prefix": "cart",
  "plugin.name": "pgoutput",
  "slot.name": "cart_relay",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "cart.outbox_event",
  "heartbeat.interval.ms": "15000",

  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "shop.${routedByValue}.events",

  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
EOF
