#!/bin/bash

curl -i -X PUT -H "Content-Type: application/json" \
    http://localhost:8083/connectors/cdc-trip-outbox/config \
    -d '{
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "plugin.name": "pgoutput",
        "database.hostname": "trip-db",
        "database.port": "5432",
        "database.user": "tripper",
        "database.password": "wordpass",
        "database.dbname": "trip_db",
        "database.server.name": "dbserver1",
        "topic.prefix": "trip_service",
        "schema.include.list": "public",
        "table.include.list": "public.outbox",
        "include.schema.changes": "false",
        "tombstones.on.delete": "false",
        "errors.deadletterqueue.topic.name": "cdc-dlq",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "entity_id",
        "transforms.outbox.table.field.event.type": "type",
        "transforms.outbox.table.field.event.payload": "payload",
        "transforms.outbox.table.field.event.timestamp": "created_at",
        "transforms.outbox.table.fields.additional.placement": "type:header:event_type,saga_id:header:saga_id",
        "transforms.outbox.table.fields.additional.error.on.missing": "false",
        "transforms.outbox.table.expand.json.payload": "true",
        "transforms.outbox.route.by.field": "entity_type",
        "transforms.outbox.route.topic.replacement": "outbox.event.${routedByValue}"
    }'

sleep 2
curl -s http://localhost:8083/connectors/cdc-trip-outbox/status | jq .
