#!/bin/bash

# usage: ./script/register.sh
CONNECT_HOST=${CONNECT_HOST:-localhost:8083}

curl -X POST "http://${CONNECT_HOST}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "all-outboxes",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql-service",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "${DB_ROOT_PASSWORD}",
      "database.server.id": "1",
      "topic.prefix": "all",
      "database.include.list": "people,posts,cash,stalls,payout",
      "table.include.list": ".*outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
      "schema.history.internal.kafka.topic": "schema-changes.all",
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
