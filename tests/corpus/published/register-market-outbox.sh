#!/bin/bash

# Registers the outbox connector of all market services
# usage: ./scripts/register-market-outbox.sh

CONNECT_HOST=${CONNECT_HOST:-localhost:8083}

curl -X POST "http://${CONNECT_HOST}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "market-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "market-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "${MYSQL_ROOT_PW}",
      "database.server.id": "11",
      "topic.prefix": "market",
      "database.include.list": "buyer_service,offer_service,wallet_service,refund_service",
      "table.include.list": ".*outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
      "schema.history.internal.kafka.topic": "schema-changes.market",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.route.by.field": "topic",
      "transforms.outbox.route.topic.replacement": "${routedByValue}"
    }
  }'

echo
echo "market-outbox is registered"
