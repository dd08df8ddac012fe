#!/bin/bash

# Creates the source connector that follows the outbox of the kitchen database.
# The payload column goes to the topic kitchen-orders; event_kind is copied into a header.

set -e

CONNECT="${CONNECT:-http://localhost:8083}"

echo "waiting for the Connect REST API ..."
until curl -s -f "${CONNECT}/" > /dev/null 2>&1; do
    sleep 3
done

echo "creating the connector ..."

curl -i -X POST \
    -H "Accept:application/json" \
    -H "Content-Type:application/json" \
    "${CONNECT}/connectors/" \
    -d '{
        "name": "kitchen-outbox-source",
        "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": "mysql-kitchen",
            "database.port": "3306",
            "database.user": "root",
            "database.password": "password",
            "database.server.id": "184061",
            "database.server.name": "kitchen-mysql",
            "topic.prefix": "kdb",
            "database.include.list": "kitchen_db",
            "table.include.list": "kitchen_db.outbox_messages",
            "schema.history.internal.kafka.bootstrap.servers": "broker:29092",
            "schema.history.internal.kafka.topic": "kdb_history",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.route.by.field": "aggregate_kind",
            "transforms.outbox.route.topic.replacement": "kitchen-orders",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "id",
            "transforms.outbox.table.field.event.type": "event_kind",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.value.field": "payload",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false"
        }
    }'

echo ""
echo "kitchen-outbox-source is registered; rows of outbox_messages now go to kitchen-orders."
