#!/bin/sh
# runs in the init container, once the worker had time to start
sleep 20;
curl -H 'Content-Type: application/json' members-connect:8083/connectors --data '
{
  "name": "members-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "pg-members",
    "database.port": "5432",
    "database.user": "admin",
    "database.password": "admin",
    "database.dbname": "members",
    "database.server.name": "pg-members",
    "table.include.list": "public.member_log",
    "slot.name": "member_log_slot",
    "transforms": "log",
    "transforms.log.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.log.table.field.event.id": "id",
    "transforms.log.table.field.event.key": "member_id",
    "transforms.log.table.field.event.type": "type",
    "transforms.log.table.field.event.payload.id": "member_id",
    "transforms.log.table.fields.additional.placement": "type:header:logType",
    "transforms.log.route.by.field": "subject",
    "transforms.log.route.topic.replacement": "member_stream",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "include.schema.changes": "false"
  }
}'
