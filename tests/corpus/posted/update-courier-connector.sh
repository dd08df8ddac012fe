#!/usr/bin/env bash
# (re)konfiguracja konektora outbox dla serwisu kurierskiego
#
# tabela courier.outbox_event:
#   id uuid, aggregate_type varchar, aggregate_id varchar, event_type varchar,
#   headers jsonb, payload jsonb, created_at timestamptz

curl -sS -X PUT http://localhost:8083/connectors/courier-outbox/config \
  -H 'Content-Type: application/json' -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",

    "database.hostname": "pg_main",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "WSTAW_HASLO",
    "database.dbname": "courier",

    "topic.prefix": "node1",

    "schema.include.list": "courier",
    "table.include.list": "courier.outbox_event",
    "slot.name": "courier_outbox_slot",
    "publication.autocreate.mode": "filtered",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.regex": "(?<agg>.*)",
    "transforms.outbox.route.topic.replacement": "${agg}-events",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.payload": "payload",
    "transforms.outbox.table.field.timestamp": "created_at",
    "transforms.outbox.table.fields.additional.placement": "event_type:header,headers:header",
    "transforms.outbox.table.expand.json.payload": "true",

    "snapshot.mode": "initial",

    "key.converter": "org.apache.kafka.connect.storage.StringConverter",

    "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
    "value.converter.apicurio.registry.url": "http://registry:8080/apis/registry/v2",
    "value.converter.apicurio.registry.auto-register": "true",
    "value.converter.apicurio.registry.artifact.group-id": "courier"
  }'
