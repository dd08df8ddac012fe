#!/bin/bash
curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "pursely-outbox-connector",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "plugin.name": "pgoutput",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "user",
        "database.password": "password",
        "database.dbname": "pursely",
        "topic.prefix": "pursely",

        "poll.interval.ms": "100",
        "topic.creation.enable": "true",
        "topic.creation.default.partitions": "3",
        "topic.creation.default.replication.factor": "3",

        "schema.include.list": "ledger",
        "table.include.list": "ledger.outbox",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "event_id",
        "transforms.outbox.table.field.event.key": "aggregate_id",
        "transforms.outbox.table.field.event.payload": "payload",
        "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType,aggregate_version:header:aggregateVersion,occurred_at:header:occurredAt",
        "transforms.outbox.route.by.field": "aggregate_type",
        "transforms.outbox.route.topic.replacement": "pursely.${routedByValue}"
    }
}'
