#!/bin/bash
echo "1. register"
curl -s -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
  "name": "ledger-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "bank_password",
    "database.server.id": "184054",
    "topic.prefix": "bankserver",
    "database.include.list": "bank_ledger",
    "table.include.list": "bank_ledger.outbox_event_entity",
    "schema.history.internal.kafka.bootstrap.servers": "kafka-1:29092",
    "schema.history.internal.kafka.topic": "schema-changes.bank_ledger",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "ledger-transfer-events",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.type": "aggregate_type",
    "transforms.outbox.table.field.event.payload": "payload"
  }
}'
echo "2. wait"
sleep 5
curl -s -X POST http://localhost:8080/api/transfer -H "Content-Type: application/json" -d '{"from": "a1", "to": "a2", "amount": 10}'
