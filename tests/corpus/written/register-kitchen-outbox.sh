#!/bin/bash
# Course week 6: hand the kitchen_outbox rows to Kafka.
# Every event goes to ticket-topic, its kind travels in a header.
set -e

CONNECT="${CONNECT:-http://localhost:8083}"

echo "waiting for connect ..."
until curl -s -f "${CONNECT}/" > /dev/null 2>&1; do
    sleep 2
done

curl -i -X POST \
    -H "Accept:application/json" \
    -H "Content-Type:application/json" \
    "${CONNECT}/connectors/" \
    -d '{
        "name": "kitchen-outbox-source",
        "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": "kitchen-mysql",
            "database.port": "3306",
            "database.user": "root",
            "database.password": "Password",
            "database.server.id": "184054",
            "database.server.name": "kitchen-mysql",
            "database.include.list": "kitchen",
            "table.include.list": "kitchen.kitchen_outbox",
            "topic.prefix": "cdc",
            "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
            "schema.history.internal.kafka.topic": "cdc_kitchen_history",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "id",
            "transforms.outbox.table.field.event.type": "event_type",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.topic.replacement": "ticket-topic",
            "transforms.outbox.value.field": "payload"
        }
    }'

echo "done"
