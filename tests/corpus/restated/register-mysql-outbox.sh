#!/bin/bash

# registers the outbox connector for all swimming-pool services
# usage: ./script/register-mysql-outbox.sh

DEBEZIUM_HOST=${DEBEZIUM_HOST:-localhost:8083}

curl -X POST "http://${DEBEZIUM_HOST}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "pool-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "mysql-service",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "${MYSQL_PASSWORD}",
      "database.server.id": "1",
      "topic.prefix": "outbox",
      "database.include.list": "visitor_service,course_service,locker_service",
      "table.include.list": ".*outbox_event",
      "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
      "schema.history.internal.kafka.topic": "schema-changes.outbox",
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
