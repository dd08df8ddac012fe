#!/bin/bash

# Registers the outbox connector.
# usage: MYSQL_PASSWORD=... ./script/register-member-outbox.sh

CONNECT=${CONNECT:-localhost:8083}

curl -X POST "http://${CONNECT}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "club-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql-main",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "${MYSQL_PASSWORD}",
      "database.server.id": "11",
      "topic.prefix": "club-outbox",
      "database.include.list": "member_db,board_db,wallet_db,market_db",
      "table.include.list": ".*outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
      "schema.history.internal.kafka.topic": "ddl.club-outbox",
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
echo "connector registered"
