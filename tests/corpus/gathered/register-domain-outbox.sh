#!/bin/bash

# usage: ./ops/register-domain-outbox.sh   (CONNECT_HOST overrides localhost:8083)

CONNECT_HOST=${CONNECT_HOST:-localhost:8083}

curl -X POST "http://${CONNECT_HOST}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "domain-outbox",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "topic.prefix": "domain",
      "database.hostname": "mysql-main",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "${MYSQL_ROOT_PW}",
      "database.server.id": "1",
      "database.include.list": "user_db,article_db,wallet_db,shop_db,payout_db",
      "table.include.list": ".*outbox_event",
      "schema.history.internal.kafka.topic": "schema-changes.domain",
      "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "topic",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload"
    }
  }'

echo ""
echo "domain-outbox submitted"
