#!/bin/bash

# registers the connector of all outbox tables
# usage: ./scripts/register-outbox-mysql.sh

CONNECT=${CONNECT:-localhost:8083}

curl -X POST "http://${CONNECT}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "market-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql-main",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "${MYSQL_ROOT_PASSWORD}",
      "database.server.id": "1",
      "topic.prefix": "outbox",
      "database.include.list": "user_service,board_service,cash_service,shop_service",
      "table.include.list": ".*outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
      "schema.history.internal.kafka.topic": "history.outbox",
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

echo ""
echo "registered"
