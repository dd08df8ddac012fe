#!/bin/bash
# registers (or updates) the outbox relay of the parcel service
set -euo pipefail
curl -sS -X PUT http://localhost:8083/connectors/parcel-outbox/config \
  -H 'Content-Type: application/json' -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",

    "database.hostname": "pg_parcel",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "changeme",
    "database.dbname": "parcel",

    "topic.prefix": "parcel1",

    "schema.include.list": "parcel",
    "table.include.list": "parcel.outbox_message",
    "slot.name": "parcel_outbox_slot",
    "publication.autocreate.mode": "filtered",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.regex": "(?<kind>.*)",
    "transforms.outbox.route.topic.replacement": "${kind}-events",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.payload": "payload",
    "transforms.outbox.table.field.timestamp": "occurred_at",
    "transforms.outbox.table.fields.additional.placement": "event_type:header,trace:header",
    "transforms.outbox.table.expand.json.payload": "true",

    "snapshot.mode": "initial",

    "key.converter": "org.apache.kafka.connect.storage.StringConverter",

    "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
    "value.converter.apicurio.registry.url": "http://registry:8080/apis/registry/v2",
    "value.converter.apicurio.registry.auto-register": "true"
  }'
