#!/bin/bash

build_config() {
  cat<<EOF | DOLLAR=$ envsubst
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": 1,
  "database.hostname": "reader-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "password",
  "database.dbname": "reader_db",
  "database.server.name": "Reader.SYS.DBServer",
  "database.history.kafka.topic": "Reader.SYS.SchemaChange",
  "database.history.kafka.bootstrap.servers": "kafka:9092",
  "database.history.consumer.group.id": "Reader.Group.Debezium.Consumer",
  "database.history.producer.group.id": "Reader.Group.Debezium.Producer",
  "database.history.store.only.captured.tables.ddl": "true",
  "table.include.list": "reader_db.outbox_events",
  "snapshot.mode": "when_needed",
  "include.schema.changes": "false",
  "event.deserialization.failure.handling.mode": "fail",
  "topic.creation.default.partitions": 10,
  "topic.creation.default.replication.factor": 1,
  "topic.creation.default.compression.type": "zstd",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "io.debezium.converters.ByteBufferConverter",
  "value.converter.schemas.enable": "false",
  "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.delegate.converter.type.schemas.enable": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.op.invalid.behavior": "fatal",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "library_uid",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "library_uid:header:x-library-id,trace_id:header:x-trace-id,span_id:header:x-parent-id",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "Reader.CDC.\${DOLLAR}{routedByValue}"
}
EOF
}

name=reader
endpoint=http://localhost:8083

case $1 in
  create)
    config='{"name": "reader", "config":'
    config+=$(build_config)
    config+='}'
    curl -X POST --header 'Content-Type: application/json' -d "${config}" ${endpoint}/connectors
    ;;
  update)
    config=$(build_config)
    curl -X PUT --header 'Content-Type: application/json' -d "${config}" ${endpoint}/connectors/${name}/config
    ;;
  *)
    echo usage: create or update
esac
