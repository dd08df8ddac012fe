#!/usr/bin/env bash
set -e
until curl -sf http://localhost:8083/ > /dev/null; do sleep 3; done
curl -s -X POST http://localhost:8083/connectors \
    -H 'Content-Type: application/json' \
    -d '{
        "name": "menu-source",
        "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": "mysql",
            "database.port": "3306",
            "database.user": "root",
            "database.password": "root",
            "database.server.id": "85744",
            "database.server.name": "menu-server",
            "database.include.list": "menu_db",
            "table.include.list": "menu_db.outbox_events",
            "topic.prefix": "menu",
            "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
            "schema.history.internal.kafka.topic": "menu_schema_history",
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
            "transforms.outbox.route.topic.replacement": "menu-topic",
            "transforms.outbox.value.field": "payload"
        }
    }'
echo
echo "menu-source is registered"
