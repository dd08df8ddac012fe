#!/bin/bash

make_config() {
  cat<<EOF | DOLLAR=$ envsubst
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": 1,
  "topic.creation.default.replication.factor": 1,
  "topic.creation.default.partitions": 10,
  "topic.creation.default.compression.type": "zstd",
  "database.hostname": "yukata-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "password",
  "database.dbname": "yukata_db",
  "database.server.name": "Yukata.SYS.DBServer",
  "database.history.kafka.bootstrap.servers": "kafka:9092",
  "database.history.kafka.topic": "Yukata.SYS.SchemaChange",
  "database.history.store.only.captured.tables.ddl": "true",
  "database.history.consumer.group.id": "Yukata.Group.Debezium.Consumer",
  "database.history.producer.group.id": "Yukata.Group.Debezium.Producer",
  "include.schema.changes": "false",
  "table.include.list": "yukata_db.outbox_messages",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.op.invalid.behavior": "fatal",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "office_uid",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "office_uid:header:x-office-id,trace_id:header:x-datadog-trace-id,span_id:header:x-datadog-parent-id",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "Yukata.CDC.\${DOLLAR}{routedByValue}",
  "value.converter": "io.debezium.converters.ByteBufferConverter",
  "value.converter.schemas.enable": "false",
  "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.delegate.converter.type.schemas.enable": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter.schemas.enable": "false",
  "snapshot.mode": "when_needed"
}
EOF
}

endpoint=http://localhost:8083
name=yukata

case $1 in
  update)
    config=$(make_config)
    curl -X PUT --header 'Content-Type: application/json' -d "${config}" ${endpoint}/connectors/${name}/config
    ;;
  create)
    config='{"name": "yukata", "config":'
    config+=$(make_config)
    config+='}'
    curl -X POST --header 'Content-Type: application/json' -d "${config}" ${endpoint}/connectors
    ;;
  *)
    echo usage: create or update
esac
